import { existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile } from './data-format.ts';

/** Writes are refused while the disk has less space left than this. It is more than the writes in progress need. */
export const diskReserveBytes = 16 * 1024 * 1024;

const watchPeriodMs = 2_000;
/** A difference that is worth a message. */
const noticedBytes = 8 * 1024 * 1024;

export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < diskReserveBytes;
}

/** Reports when the disk of the data folder becomes full, and when it has space again. */
export function watchDisk(folder: string, onNotice: (text: string) => void): { stop(): void } {
  let full = false;
  const timer = setInterval(() => {
    if (isDiskFull(folder) === full) return;
    full = !full;
    const least = megabytes(diskReserveBytes);
    onNotice(
      full
        ? `The disk of ${folder} is full: requests fail with 503 until ${least} are free.`
        : `The disk of ${folder} has space again.`,
    );
  }, watchPeriodMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** The size of the database with its log. */
export function databaseBytes(folder: string): number {
  const database = join(folder, databaseFile);
  return [database, `${database}-wal`]
    .filter((file) => existsSync(file))
    .reduce((total, file) => total + statSync(file).size, 0);
}

/** The message for a database that the start has made smaller, if it is worth one. */
export function compactionNotice(folder: string, before: number, after: number): string | undefined {
  if (before - after < noticedBytes) return undefined;
  return `Compacted the data in ${folder}: ${megabytes(before)}, now ${megabytes(after)}.`;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}
