import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Programs } from './programs.ts';

/** The emulator: MIT licence, PyPI. ministack_launcher.py adapts exactly this version. */
const version = '1.5.33';
const python = 'python3';

/** Why the emulator cannot run on this machine, or undefined. */
export function missingRequirement(): string | undefined {
  const check = ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'];
  if (!succeeds(python, check)) return `${python} (3.10 or newer, with venv) is not installed`;
  return succeeds('openssl', ['version']) ? undefined : 'openssl is not installed';
}

const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Installs the emulator once, into the user's cache, and returns its Python. */
export async function installEmulator(programs: Programs): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gateline', `ministack-${version}`);
  if (!existsSync(join(cache, 'bin', 'ministack'))) {
    mkdirSync(cache, { recursive: true });
    const shared = { cwd: cache, env: process.env };
    await programs.run({ ...shared, name: 'venv', command: python, args: ['-m', 'venv', '--clear', cache] });
    const install = ['-m', 'pip', 'install', '--quiet', `ministack==${version}`];
    await programs.run({ ...shared, name: 'pip', command: join(cache, 'bin', 'python'), args: install });
  }
  return join(cache, 'bin', 'python');
}
