/** Time is always a dependency, so a test can control it. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000);
}

/** Returns a function that checks whether time is left. It uses a monotonic clock, which neither tests nor the system adjust. */
export function startTimeBudget(seconds: number): () => boolean {
  const startedMs = performance.now();
  return () => performance.now() - startedMs < seconds * 1000;
}
