import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
} from 'aws-lambda';
import { reasonOf } from '../platform/failure-reason.ts';
import { countOutcome, log } from '../platform/log.ts';

/**
 * Handles the messages of a batch concurrently. Failed messages return to the queue. The log contains the id of a message,
 * never its content.
 */
export function queueWorker(handle: (body: unknown) => Promise<void>) {
  return async ({ Records }: SQSEvent, { functionName }: Pick<Context, 'functionName'>): Promise<SQSBatchResponse> => {
    const failed = await Promise.all(
      Records.map(async ({ messageId, body }) => {
        try {
          await handle(JSON.parse(body));
          return [];
        } catch (error) {
          log.error('message failed', { message_id: messageId, ...reasonOf(error) });
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    const batchItemFailures = failed.flat();
    // Lambda counts no error, because the invocation succeeded. An alarm watches this metric instead.
    if (batchItemFailures.length > 0) countOutcome(functionName, 'MessageFailed', batchItemFailures.length);
    return { batchItemFailures };
  };
}

/** Handles a batch of the table's stream. `handle` returns the records that failed. */
export function streamWorker(handle: (records: readonly DynamoDBRecord[]) => Promise<readonly DynamoDBRecord[]>) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const failed = await handle(Records);
    return { batchItemFailures: failed.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })) };
  };
}
