import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import { reasonOf } from '../platform/failure-reason.ts';
import { countOutcome, log } from '../platform/log.ts';
import { type RequestTrace, traceFields } from '../platform/request-trace.ts';

/**
 * Handles the messages of a batch concurrently. Failed messages return to the queue. The log contains the id of a message and
 * of the request that it belongs to, never its content.
 */
export function queueWorker<Message extends RequestTrace>(
  parse: (body: unknown) => Message,
  handle: (message: Message) => Promise<void>,
) {
  const handleRecord = async ({ messageId, body }: SQSRecord) => {
    let fields: ReturnType<typeof traceFields> | undefined;
    try {
      const message = parse(JSON.parse(body));
      fields = traceFields(message);
      await log.within(fields, () => handle(message));
      return [];
    } catch (error) {
      log.error('message failed', { ...fields, message_id: messageId, ...reasonOf(error) });
      return [{ itemIdentifier: messageId }];
    }
  };
  return async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    log.addContext(context);
    const failed = await Promise.all(Records.map(handleRecord));
    const batchItemFailures = failed.flat();
    // Lambda counts no error, because the invocation succeeded. An alarm watches this metric instead.
    if (batchItemFailures.length > 0) countOutcome(context.functionName, 'MessageFailed', batchItemFailures.length);
    return { batchItemFailures };
  };
}

/** Handles a batch of the table's stream. `handle` returns the records that failed. */
export function streamWorker(handle: (records: readonly DynamoDBRecord[]) => Promise<readonly DynamoDBRecord[]>) {
  return async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    log.addContext(context);
    const failed = await handle(Records);
    return { batchItemFailures: failed.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })) };
  };
}

/** Runs a schedule. Each entry of the log has the id of the run (function_request_id). */
export function scheduleWorker(run: () => Promise<void>) {
  return (_event: unknown, context: Context): Promise<void> => {
    log.addContext(context);
    return run();
  };
}
