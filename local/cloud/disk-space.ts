import { statfsSync } from 'node:fs';

/** DynamoDB Local acknowledges a transaction before it is committed, so a run must end before its disk is full. */
const reserveBytes = 16 * 1024 * 1024;

const watchPeriodMs = 2_000;

export function isDiskFull(folder: string, reserve = reserveBytes): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < reserve;
}

/** Calls back when the disk of the folder has less space left than the reserve. */
export function watchDisk(folder: string, onFull: () => void, reserve = reserveBytes): { stop(): void } {
  const timer = setInterval(() => {
    if (!isDiskFull(folder, reserve)) return;
    clearInterval(timer);
    onFull();
  }, watchPeriodMs).unref();
  return { stop: () => clearInterval(timer) };
}
