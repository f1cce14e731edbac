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
 * lock is removed by the name of its file, so a lock that was acquired in the meantime stays.
 */
export async function withLock(folder, work) {
  const lockFolder = join(folder, 'install.lock');
  const owner = `${process.pid}-${randomUUID()}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let hasReported = false;
  while (!tryAcquire(lockFolder, owner)) {
    if (!clearStale(lockFolder) && !hasReported) {
      process.stdout.write('Waiting for another installation …\n');
      hasReported = true;
    }
    await sleep(100);
  }
  try {
    return await work({ alsoHeldBy: (pid) => writeFileSync(join(lockFolder, owner), String(pid)) });
  } finally {
    rmSync(join(lockFolder, owner), { force: true });
    removeIfEmpty(lockFolder);
  }
}

function tryAcquire(lockFolder, owner) {
  const draft = `${lockFolder}.${owner}`;
  mkdirSync(draft);
  writeFileSync(join(draft, owner), '');
  try {
    renameSync(draft, lockFolder);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (isHeld(error)) {
      return false;
    }
    throw error;
  }
}

/** Linux and macOS report that the target is not empty. Windows does not rename a folder to an existing one. */
function isHeld({ code }) {
  return code === 'ENOTEMPTY' || code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM');
}

/** Whether the lock or its holder no longer exists. */
function clearStale(lockFolder) {
  try {
    const stale = readdirSync(lockFolder).filter((owner) => isStaleOwner(lockFolder, owner));
    for (const owner of stale) {
      rmSync(join(lockFolder, owner), { force: true });
    }
    return removeIfEmpty(lockFolder);
  } catch (error) {
    if (error.code === 'ENOENT') {
      return true;
    }
    throw error;
  }
}

function isStaleOwner(lockFolder, owner) {
  const file = join(lockFolder, owner);
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

function removeIfEmpty(lockFolder) {
  try {
    rmdirSync(lockFolder);
    return true;
  } catch {
    return false;
  }
}
