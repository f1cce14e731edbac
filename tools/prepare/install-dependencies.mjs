import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { installStamp, isStale } from './decisions.mjs';
import { Problem } from './problem.mjs';
import { run } from './run.mjs';

const stampPath = (root) => join(root, 'node_modules', '.gateline-install.json');

export function dependenciesAreFresh(root) {
  return !isStale(readStamp(root), wantedStamp(root));
}

export async function installDependencies(root, lock) {
  // Computed before the installation, so a lock file that changes in the meantime does not match the stamp.
  const stamp = wantedStamp(root);
  process.stdout.write('Installing dependencies from the lock file …\n');
  const { code, output } = await npm(lock, ['ci', '--include=dev'], root);
  if (code !== 0) {
    throw new Problem(
      `${output}The installation of the dependencies failed. Fix the npm error above (often the network) and try again.`,
    );
  }
  writeStamp(root, stamp);
}

export function writeStamp(root, stamp = wantedStamp(root)) {
  writeFileSync(stampPath(root), stamp);
}

/**
 * In a script, npm sets variables with its own path and Node, so the same npm installs, whatever is on the PATH. The Node
 * package of the project cannot run it, because the installation replaces that package.
 */
function npm(lock, args, cwd) {
  const script = process.env.npm_execpath;
  return script?.endsWith('npm-cli.js')
    ? run(lock, process.env.npm_node_execpath ?? process.execPath, [script, ...args], { cwd })
    : run(lock, 'npm', args, { cwd, shell: process.platform === 'win32' });
}

function wantedStamp(root) {
  return installStamp({
    lockFile: readFileSync(join(root, 'package-lock.json')),
    platform: process.platform,
    arch: process.arch,
  });
}

function readStamp(root) {
  try {
    return readFileSync(stampPath(root), 'utf8');
  } catch {
    return undefined;
  }
}
