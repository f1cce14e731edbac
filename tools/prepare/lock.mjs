import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Process ids are reused, so a lock this old is stale even if a process with its id exists. */
const longestInstallMs = 30 * 60_000;

/**
 * Lets one process install at a time. The lock is a folder with one file, whose name identifies the holder. It is created
 * under another name and then renamed. Renaming fails while the target is not empty, so acquiring the lock is atomic. A stale
 * lock is removed by the name of its file, so that a lock that was acquired in the meantime stays.
 */
export async function withLock(folder, work) {
  const place = join(folder, 'install.lock');
  const owner = `${process.pid}-${randomUUID()}`;
  mkdirSync(folder, { recursive: true });
  let hasReported = false;
  while (!take(place, owner)) {
    if (!clearStale(place) && !hasReported) {
      process.stdout.write('Waiting for another installation …\n');
      hasReported = true;
    }
    await sleep(100);
  }
  try {
    return await work({ alsoHeldBy: (pid) => writeFileSync(join(place, owner), String(pid)) });
  } finally {
    rmSync(join(place, owner), { force: true });
    removeIfEmpty(place);
  }
}

function take(place, owner) {
  const filled = `${place}.${owner}`;
  mkdirSync(filled);
  writeFileSync(join(filled, owner), '');
  try {
    renameSync(filled, place);
    return true;
  } catch (error) {
    rmSync(filled, { recursive: true, force: true });
    if (isTaken(error)) {
      return false;
    }
    throw error;
  }
}

/** Linux and macOS report that the target is not empty. Windows does not rename a folder to an existing one. */
function isTaken({ code }) {
  return code === 'ENOTEMPTY' || code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM');
}

/** Whether the lock or its holder no longer exists. */
function clearStale(place) {
  try {
    const stale = readdirSync(place).filter((owner) => isStaleOwner(place, owner));
    for (const owner of stale) {
      rmSync(join(place, owner), { force: true });
    }
    return removeIfEmpty(place);
  } catch (error) {
    if (error.code === 'ENOENT') {
      return true;
    }
    throw error;
  }
}

function isStaleOwner(place, owner) {
  const file = join(place, owner);
  const pids = [owner.split('-')[0], readFileSync(file, 'utf8')].filter((pid) => pid !== '').map(Number);
  return Date.now() - statSync(file).mtimeMs > longestInstallMs || !pids.some(isAlive);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return error.code === 'EPERM';
  }
}

function removeIfEmpty(place) {
  try {
    rmdirSync(place);
    return true;
  } catch {
    return false;
  }
}
