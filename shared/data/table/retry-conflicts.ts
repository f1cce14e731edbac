import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';

const maxAttempts = 5;
const maxPauseMs = 40;

/**
 * DynamoDB rejects a single write that conflicts with a running transaction on the same item, and the SDK does not retry it.
 * Nothing was written, so a retry is safe. The pause is random so that the same writers do not conflict again.
 */
export async function retryConflicts<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || attempt === maxAttempts) throw error;
      await sleep(randomInt(1, maxPauseMs));
    }
  }
}
