import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { descendantsOf, isAlive } from '../support/processes.ts';

test('a start that is refused leaves no synthesis running', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = `
    const { synthesizeStack } = await import('./local/run/synthesize-stack.ts');
    synthesizeStack(${JSON.stringify(folder)}, undefined).catch(() => {});
    process.stdin.once('data', () => process.exit(1));
  `;
  const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => run.once('exit', resolve));
  const synthesis = () => descendantsOf(run.pid ?? 0);
  await expect.poll(synthesis, { timeout: 20_000 }).not.toEqual([]);
  const processes = synthesis();
  run.stdin.write('the port is taken\n');
  expect(await ended).toBe(1);
  await expect.poll(() => processes.filter(isAlive), { timeout: 5_000 }).toEqual([]);
});
