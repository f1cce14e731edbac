import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudError } from './cloud-error.ts';
import { processStart } from './processes/process-start.ts';

/**
 * Two runs must not share a folder. The lock file holds the process id and the time at which that process started. A killed run
 * leaves its lock behind, and the system may give its process id to another program, but not with the same time.
 * The file gets its name complete, and only if no other file has it, so of two concurrent runs only one gets the folder.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'in-use-by');
  const own = `${process.pid} ${processStart(process.pid) ?? ''}`;
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    while (!tryToLink(draft, file)) removeStale(file, folder);
  } finally {
    rmSync(draft, { force: true });
  }
  const release = (): void => {
    process.off('exit', release);
    if (readText(file) === own) rmSync(file, { force: true });
  };
  // A start that is interrupted ends without a stop.
  process.once('exit', release);
  return release;
}

function tryToLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the lock away before it is deleted, because a concurrent run may have replaced the stale lock by its own. */
function removeStale(file: string, folder: string): void {
  const content = readText(file);
  if (content === undefined) return;
  if (isHeld(content)) {
    const owner = content.split(' ')[0];
    throw new CloudError(
      `The data folder ${folder} is in use by process ${owner}. Stop that process, or use another folder.`,
    );
  }
  const stale = `${file}.${randomUUID()}`;
  renameSync(file, stale);
  if (readText(stale) !== content) tryToLink(stale, file);
  rmSync(stale, { force: true });
}

/** A lock without a time was written by an earlier version, or on a system that does not report it. */
function isHeld(content: string): boolean {
  const [pid = '', ...time] = content.trim().split(' ');
  if (!/^[1-9]\d*$/.test(pid) || Number(pid) === process.pid) return false;
  const started = processStart(Number(pid));
  return started !== undefined && (time.length === 0 || time.join(' ') === started);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
