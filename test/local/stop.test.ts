import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('nothing keeps the process alive after the local cloud has stopped', async () => {
  const file = fileURLToPath(new URL('./fixture/start-and-stop.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file]);
  expect(stdout).toMatch(/^stopped, last response/);
});
