import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Contended } from './failures.ts';

/** Each round lets at least one of the racers through, so this many may change one thing at once. */
const maxAttempts = 30;
const longestPauseMs = 200;

/**
 * Reads, decides and writes until the write is not refused because somebody else changed the same thing in between; an
 * attempt that lost such a race answers undefined.
 */
export async function untilWritten<Result>(what: string, attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let count = 1; count <= maxAttempts; count += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
    await sleep(randomInt(1, Math.min(longestPauseMs, 10 * count) + 1));
  }
  throw new Contended(`The ${what} is being changed by many at once. Nothing was changed; try again.`);
}
