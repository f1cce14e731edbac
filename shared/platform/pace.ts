import { setTimeout as sleep } from 'node:timers/promises';

/** Returns a function that resolves when the next piece of work may begin: evenly, at most so many a second. */
export function startPace(perSecond: number): () => Promise<void> {
  let nextMs = 0;
  return async () => {
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, nextMs);
    nextMs = startMs + 1000 / perSecond;
    if (startMs > nowMs) await sleep(startMs - nowMs);
  };
}
