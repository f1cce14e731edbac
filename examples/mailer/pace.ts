import { setTimeout } from 'node:timers/promises';

export interface Clock {
  now(): number;
  wait(ms: number): Promise<unknown>;
}

const machineClock: Clock = { now: () => Date.now(), wait: (ms) => setTimeout(ms) };

/** At most so many at once, and at most so many begin in a second. */
export function pace(
  perSecond: number,
  atOnce: number,
  clock = machineClock,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const lanes: Promise<unknown>[] = Array.from({ length: atOnce }, () => Promise.resolve());
  let next = 0;
  let nextMs = 0;
  return (work) => {
    const lane = next;
    next = (next + 1) % atOnce;
    const turn = (lanes[lane] ?? Promise.resolve()).then(async () => {
      const waitMs = Math.max(0, nextMs - clock.now());
      nextMs = Math.max(nextMs, clock.now()) + 1000 / perSecond;
      if (waitMs > 0) await clock.wait(waitMs);
      return work();
    });
    lanes[lane] = turn.catch(() => {});
    return turn;
  };
}
