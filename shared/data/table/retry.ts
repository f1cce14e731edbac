import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { Contended } from './failures.ts';

/** With the pauses about two seconds, which is shorter than every function's timeout: the API can still return a 503. */
const maxAttempts = 15;
const firstPauseMs = 25;
const maxPauseMs = 400;

/**
 * Repeats work that fails with a passing error. The pauses grow, and are random: the same writers must not meet again. The
 * last error is thrown.
 */
export async function retry<Result>(
  isPassing: (error: unknown) => boolean,
  work: (attempt: number) => Promise<Result>,
  attempts = maxAttempts,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= attempts || !isPassing(error)) throw error;
      await sleep(randomInt(1, Math.min(maxPauseMs, firstPauseMs * 2 ** attempt) + 1));
    }
  }
}

/**
 * DynamoDB rejects a single write that conflicts with a running transaction on the same item, and the SDK does not retry it.
 * Nothing was written, so a retry is safe.
 */
export function retryConflicts<Result>(write: () => Promise<Result>): Promise<Result> {
  return retry((error) => error instanceof TransactionConflictException, write);
}

/** Repeats an attempt until it returns a value. Throws the message as `Contended` if it never does. */
export function retryUntil<Result>(
  message: string,
  attempt: (count: number) => Promise<Result | undefined>,
): Promise<Result> {
  const contended = new Contended(message);
  return retry(
    (error) => error === contended,
    async (count) => {
      const result = await attempt(count);
      if (result === undefined) throw contended;
      return result;
    },
  );
}

/**
 * Optimistic locking: repeats an attempt (read, decide, write on condition) until its write succeeds. An attempt returns
 * undefined if another writer changed the object after it was read.
 */
export function retryRaces<Result>(
  what: string,
  attempt: (count: number) => Promise<Result | undefined>,
): Promise<Result> {
  return retryUntil(`Too many concurrent changes to the ${what}. Nothing was changed. Try again.`, attempt);
}
