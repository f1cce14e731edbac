import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../tools/browser/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run test:browser', () => {
  it('is skipped with one line on a machine without Chromium that cannot install it', () => {
    const { CHROMIUM: _own, ...env } = process.env;
    const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'tools/test-browser.ts'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      // Without apt-get on the PATH, root cannot install it either.
      env: { ...env, PATH: folder },
      encoding: 'utf8',
    });
    expect(stdout).toMatch(
      /^Skipped: .* Install Chromium \(Debian: apt-get install chromium\) or set CHROMIUM to its path\.$/m,
    );
    expect(status).toBe(0);
  });

  it('uses the browser in CHROMIUM, or else the first one on the PATH', () => {
    writeFileSync(join(folder, 'chromium-browser'), '');
    expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(join(folder, 'chromium-browser'));
    expect(findChromium({ PATH: folder, CHROMIUM: '/opt/chrome' })).toBe('/opt/chrome');
    expect(findChromium({ PATH: '/nowhere' })).toBeUndefined();
  });
});
