import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { longTest } from '../support/thorough.ts';

longTest('nothing keeps the process alive after the local cloud has stopped', async () => {
  const file = fileURLToPath(new URL('./fixture/start-and-stop.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file]);
  expect(stdout).toMatch(/^stopped, last response/);
});

/** Starts a process group, sends Ctrl-C as a terminal and npm do when a line was printed, and returns how it ended. */
async function interrupted(
  line: string,
  delayMs: number,
): Promise<{ status: unknown; output: string; errors: string; locked: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-stop-'));
  const file = fileURLToPath(new URL('./fixture/stop-on-signal.ts', import.meta.url));
  const command = ['--import', 'tsx', file, folder, String(delayMs)];
  const child = spawn(process.execPath, command, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let isSignalled = false;
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (isSignalled || !output.split('\n').includes(line)) return;
    isSignalled = true;
    output = '';
    // The terminal signals the group, and npm, which is in it, passes the signal on to its child.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    child.kill('SIGINT');
  });
  const [status] = await once(child, 'exit');
  const locked = existsSync(join(folder, 'in-use-by'));
  rmSync(folder, { recursive: true, force: true });
  return { status, output, errors, locked };
}

const said = 'Stopping: SIGINT was received.\n';

test('one Ctrl-C, which npm doubles, stops the local cloud cleanly and releases the data folder', async () => {
  expect(await interrupted('started', 0)).toEqual({ status: 0, output: said, errors: '', locked: false });
});

longTest('Ctrl-C during the start exits at once and releases the data folder', async () => {
  expect(await interrupted('starting', 600_000)).toEqual({ status: 130, output: said, errors: '', locked: false });
});
