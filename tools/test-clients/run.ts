import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { startGateline } from '../../local/run/start.ts';
import { type Client, clients, isInstalled } from './clients.ts';

const document = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const programs = fileURLToPath(new URL('programs', import.meta.url));
const expected = ['order confirmed with 2 tickets', 'webhook enabled'];

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  skipLibCheck: false,
  types: ['node'],
};

const RunFile = v.object({
  organisations: v.tupleWithRest([v.object({ org_id: v.string(), api_key: v.string() })], v.unknown()),
});

/**
 * Generates the clients from the committed document, and buys a ticket and receives a webhook with each. A part of a name chooses
 * some of them.
 */
export async function testClients(folder: string, part = ''): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const settings = { port: 0, data: 'memory', demo: 'full', physics: 'none', localFolder: folder } as const;
  const cloud = await startGateline(settings, { onLog: () => {} });
  try {
    const { organisations } = v.parse(RunFile, JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')));
    const [{ org_id, api_key }] = organisations;
    const environment = { GATELINE_URL: cloud.url, GATELINE_API_KEY: api_key, GATELINE_ORG: org_id };
    let isGood = true;
    for (const client of clients.filter(({ name }) => name.includes(part))) {
      const missing = client.needs.filter((command) => !isInstalled(command));
      if (missing.length > 0) console.log(`skipped  ${client.name}: ${missing.join(' and ')} not installed`);
      else isGood = (await testClient(client, folder, environment)) && isGood;
    }
    return isGood;
  } finally {
    await cloud.stop();
  }
}

async function testClient(client: Client, parent: string, environment: Record<string, string>): Promise<boolean> {
  const folder = join(parent, client.program.replace(/\.\w+$/, ''));
  // What is installed stays; what is generated must be of this document.
  rmSync(join(folder, 'generated'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(document, join(folder, 'openapi.json'));
  for (const file of [client.program, 'receive.ts']) copyFileSync(join(programs, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'generated'] }));
  for (const step of client.steps) {
    const { status, output } = await run(step, folder, {});
    if (status !== 0) {
      console.log(`failed   ${client.name}: ${step.join(' ')}\n${output}`);
      return false;
    }
  }
  const { output } = await run(client.run, folder, { ...environment, PYTHONPATH: 'generated' });
  const isGood = expected.every((line) => output.split('\n').includes(line));
  console.log(isGood ? `passed   ${client.name}: a purchase and a webhook` : `failed   ${client.name}\n${output}`);
  return isGood;
}

function run(
  [command, ...args]: readonly [string, ...string[]],
  cwd: string,
  environment: Record<string, string>,
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}
