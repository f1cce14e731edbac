import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings, StartError, wantsShop } from '../../local/run/settings.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gateline-settings-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('settings of npm start', () => {
  it('settings have defaults, also for variables that are set but empty', () => {
    const defaults = {
      port: 3000,
      data: { folder: join(directory, '.local', 'data') },
      demo: 'full',
      physics: 'none',
      localFolder: join(directory, '.local'),
    };
    expect(readSettings({}, directory)).toEqual(defaults);
    expect(readSettings({ PORT: '', GATELINE_DATA: '', GATELINE_DEMO: '' }, directory)).toEqual(defaults);
  });

  it('npm start runs the sample shop unless --no-shop is given, and refuses any other argument', () => {
    expect(wantsShop([])).toBe(true);
    expect(wantsShop(['--no-shop'])).toBe(false);
    expect(() => wantsShop(['--noshop'])).toThrow(
      new StartError(
        'npm start does not know --noshop. Its only argument is --no-shop; everything else is set by environment variables, such as PORT=4000 npm start.',
      ),
    );
  });

  it('settings are read from the environment', () => {
    const environment = { PORT: '0', GATELINE_DATA: 'memory', GATELINE_DEMO: 'none' };
    expect(readSettings(environment, directory)).toMatchObject({ port: 0, data: 'memory', demo: 'none' });
    expect(readSettings({ GATELINE_DATA: 'a/b' }, directory).data).toEqual({ folder: join(directory, 'a', 'b') });
  });

  it('the folder for keys is readable by its owner only, also if it existed with other permissions', () => {
    const folder = join(directory, '.local');
    mkdirSync(folder, { mode: 0o755 });
    readSettings({}, directory);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each([
    [{ GATELINE_DATA: '/dev/null/data' }, 'The folder /dev/null/data is not writable'],
    [{ GATELINE_DATA: '/proc/data' }, 'The folder /proc/data is not writable'],
    [{ PORT: 'http' }, 'PORT must be a number from 0 to 65535, not http.'],
    [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535, not 65536.'],
    [{ GATELINE_PHYSICS: 'real' }, 'GATELINE_PHYSICS must be none or aws, not real.'],
    [{ GATELINE_DEMO: 'some' }, 'GATELINE_DEMO must be full or none, not some.'],
  ])('settings report what is wrong with %j', (environment, message) => {
    expect(() => readSettings(environment, directory)).toThrow(StartError);
    expect(() => readSettings(environment, directory)).toThrow(message);
  });
});
