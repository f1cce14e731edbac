/**
 * Makes a fresh clone ready to run: `npm start` and `npm test` call this first (ADR 0002). It must work before anything is
 * installed, so it is plain JavaScript without dependencies, and it runs on Node versions that the rest does not.
 */
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { nodeNotice, nodeProblem } from './prepare/decisions.mjs';
import { findJava } from './prepare/find-java.mjs';
import { dependenciesAreFresh, installDependencies } from './prepare/install-dependencies.mjs';
import { installJava, javaProblem } from './prepare/install-java.mjs';
import { withLock } from './prepare/lock.mjs';
import { ownNodeVersion } from './prepare/own-node.mjs';
import { Problem } from './prepare/problem.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const needsJava = !process.argv.includes('--no-java');

try {
  await prepare();
} catch (error) {
  process.stderr.write(`${oneLine(error)}\n`);
  process.exitCode = 1;
}

/** The user can solve a folder that is not writable and a full disk. Any other error is a bug, so its stack is printed. */
function oneLine(error) {
  if (error instanceof Problem) {
    return error.message;
  }
  const isTheirs = ['EACCES', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(error.code);
  return isTheirs
    ? `The project folder is not writable, so dependencies cannot be installed: ${error.message}`
    : error.stack;
}

/** Reports what the user must solve before the installation, which takes a minute. Prints nothing if nothing is missing. */
async function prepare() {
  const machine = { version: process.versions.node, platform: process.platform, arch: process.arch };
  const problem = nodeProblem(machine);
  if (problem) {
    throw new Problem(problem);
  }
  const lacksJava = needsJava && findJava(process.env) === undefined;
  if (lacksJava) {
    const unsolvable = javaProblem();
    if (unsolvable) {
      throw new Problem(unsolvable);
    }
  }
  if (lacksJava || !dependenciesAreFresh(root)) {
    await withLock(join(root, '.local'), (lock) => install(lacksJava, lock));
  }
  const notice = nodeNotice({ ...machine, ownVersion: ownNodeVersion(root) });
  if (notice) {
    process.stdout.write(`${notice}\n`);
  }
}

/** Checks again what is missing, because the previous holder of the lock may have installed it. */
async function install(lacksJava, lock) {
  if (lacksJava && findJava(process.env) === undefined) {
    await installJava(lock);
  }
  if (!dependenciesAreFresh(root)) {
    await installDependencies(root, lock);
  }
}
