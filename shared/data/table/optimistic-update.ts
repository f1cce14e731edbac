import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Contended } from './failures.ts';

/** In each round at least one of the concurrent writers succeeds, so this many can change one object at the same time. */
const maxAttempts = 30;
const maxPauseMs = 200;

/**
 * Optimistic locking: runs an attempt (read, decide, write on condition) until its write succeeds. An attempt returns
 * undefined if another writer changed the object after it was read.
 */
export async function updateOptimistically<Result>(
  what: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let count = 1; count <= maxAttempts; count += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
    await sleep(randomInt(1, Math.min(maxPauseMs, 10 * count) + 1));
  }
  throw new Contended(`Too many concurrent changes to the ${what}. Nothing was changed. Try again.`);
}
