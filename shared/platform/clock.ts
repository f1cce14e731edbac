/** The time is always handed in, so that a test can move it. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000);
}

/** Says for how long there is still time. By a clock that nobody moves: a function's time is up whatever the date says. */
export function startTimeBudget(seconds: number): () => boolean {
  const startedMs = performance.now();
  return () => performance.now() - startedMs < seconds * 1000;
}
