import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeployedApi } from './deployed-api.ts';
import type { Emulator } from './emulator.ts';
import type { Programs } from './programs.ts';
import { root } from './project-copy.ts';
import { readSigningKey } from './signing-key.ts';

export interface ContractResult {
  readonly summary: string;
  readonly problem?: string;
}

/** Runs the contract tests of the registry against dev. */
export async function runContractTests(
  programs: Programs,
  emulator: Emulator,
  { api, table }: { readonly api: DeployedApi; readonly table: string },
): Promise<ContractResult> {
  const name = 'contract-tests';
  const file = join(programs.folder, 'deployment.json');
  const url = `https://127.0.0.1:${emulator.port}${api.base}`;
  const signing_key = await readSigningKey(emulator, 'dev');
  writeFileSync(file, JSON.stringify({ url, host: api.host, table, signing_key }), { mode: 0o600 });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', 'test/contract/operations.test.ts'];
  const env = { ...emulator.env, GATELINE_DEPLOYMENT: file, NO_COLOR: '1' };
  try {
    return { summary: summaryOf(await programs.run({ name, command: process.execPath, args, cwd: root, env })) };
  } catch (error) {
    return { summary: summaryOf(programs.output(name)), problem: String(error) };
  }
}

const summaryOf = (output: string): string => /^ *Tests +(.*)$/m.exec(output)?.[1] ?? 'no summary';
