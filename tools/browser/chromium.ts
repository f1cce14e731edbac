import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of an installed Chromium: the variable CHROMIUM, or the first one on the PATH. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  if (env.CHROMIUM !== undefined && env.CHROMIUM !== '') return env.CHROMIUM;
  const folders = (env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}

/** Installs Debian's Chromium, which only root may. Returns why it is still missing, or undefined. */
export function installChromium(): string | undefined {
  const advice = 'Install Chromium (Debian: apt-get install chromium) or set CHROMIUM to its path.';
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))
    return `Chromium is not installed, and only root on Debian may install it here. ${advice}`;
  console.log('Installing chromium …');
  const isInstalled = aptGet('update') && aptGet('install', '-y', '--no-install-recommends', 'chromium');
  return isInstalled ? undefined : `The installation of Chromium failed. ${advice}`;
}

/** Never prompts, and waits for another apt-get instead of failing. */
function aptGet(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args];
  const { status, stderr } = spawnSync('apt-get', options, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) console.error(stderr?.toString() ?? 'apt-get did not start.');
  return status === 0;
}
