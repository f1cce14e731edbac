import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const example = fileURLToPath(new URL('../../examples/mailer', import.meta.url));

it('the mailer runs where its folder was copied, without a package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-copied-'));
  try {
    cpSync(example, folder, { recursive: true });
    const env = { PATH: process.env.PATH };
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, ['main.ts', ...args], { cwd: folder, env, encoding: 'utf8' });
    expect(run('list')).toMatchObject({ status: 0, stdout: 'Nothing waits, and nothing has failed.\n' });
    expect(run('resend', 'evt_1').stdout).toBe('Nothing of this event has failed.\n');
    expect(run('serve').stderr).toContain('Set API_URL. README.md says what it is.');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
