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
  // Taken before the install: should the lock file change meanwhile, the stamp is of the one that npm may have read.
  const stamp = wantedStamp(root);
  process.stdout.write('Installing dependencies from the lock file …\n');
  const { code, output } = await npm(lock, ['ci', '--include=dev'], root);
  if (code !== 0) {
    throw new Problem(
      `${output}Installing the dependencies failed: solve what npm says above (often the network), then run this again.`,
    );
  }
  writeFileSync(stampPath(root), stamp);
}

/**
 * Under `npm start` npm names its own script and its own Node: the same npm then installs, whatever the PATH holds. The
 * project's own Node does not run it, because the installation replaces that Node.
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
