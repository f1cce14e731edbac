import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';

const maxAttempts = 5;
const longestPauseMs = 40;

/**
 * A single write that meets somebody's transaction on the same item is refused, not queued, and the SDK does not repeat it.
 * Nothing was written, so repeating is safe; the pause is random so that those who met do not meet again.
 */
export async function retryConflicts<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || attempt === maxAttempts) throw error;
      await sleep(randomInt(1, longestPauseMs));
    }
  }
}
