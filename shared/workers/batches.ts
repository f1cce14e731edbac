import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import * as v from 'valibot';
import type { KeyKind } from '../domain/table-access.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { countOutcome, log } from '../platform/log.ts';
import { type RequestTrace, traceFields } from '../platform/request-trace.ts';

/** A message of a queue, and whether the queue has delivered it before. */
export interface Received<Message> {
  readonly message: Message;
  readonly isRepeated: boolean;
}

interface Entry<Message> extends Received<Message> {
  readonly messageId: string;
}

/**
 * Handles the messages of a batch in groups, all groups concurrently. The messages of a failed group return to the queue. The
 * log contains the id of a message and of the request that it belongs to, never its content.
 */
export function groupedQueueWorker<Message extends RequestTrace>(
  parse: (body: unknown) => Message,
  /** Messages with the same text are one group. */
  groupOf: (received: Received<Message>, messageId: string) => string,
  handle: (group: readonly Received<Message>[]) => Promise<void>,
) {
  const parseRecord = ({ messageId, body, attributes }: SQSRecord): Entry<Message> | { readonly failedId: string } => {
    try {
      const isRepeated = Number(attributes.ApproximateReceiveCount) > 1;
      return { messageId, message: parse(JSON.parse(body)), isRepeated };
    } catch (error) {
      log.error('message failed', { message_id: messageId, ...reasonOf(error) });
      return { failedId: messageId };
    }
  };
  const handleGroup = async (group: readonly Entry<Message>[]): Promise<string[]> => {
    try {
      await handle(group);
      return [];
    } catch (error) {
      for (const { messageId, message } of group)
        log.error('message failed', { ...traceFields(message), message_id: messageId, ...reasonOf(error) });
      return group.map(({ messageId }) => messageId);
    }
  };
  return async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    log.addContext(context);
    const records = Records.map(parseRecord);
    const entries = records.flatMap((record) => ('failedId' in record ? [] : [record]));
    const groups = Map.groupBy(entries, (entry) => groupOf(entry, entry.messageId));
    const failed = [
      ...records.flatMap((record) => ('failedId' in record ? [record.failedId] : [])),
      ...(await Promise.all([...groups.values()].map(handleGroup))).flat(),
    ];
    // Lambda counts no error, because the invocation succeeded. An alarm watches this metric instead.
    if (failed.length > 0) countOutcome(context.functionName, 'MessageFailed', failed.length);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** Handles the messages of a batch one by one, concurrently. Every log entry of the work has the request of the message. */
export function queueWorker<Message extends RequestTrace>(
  parse: (body: unknown) => Message,
  handle: (message: Message) => Promise<void>,
) {
  return groupedQueueWorker(
    parse,
    (_received, messageId) => messageId,
    async (group) => {
      for (const { message } of group) await log.within(traceFields(message), () => handle(message));
    },
  );
}

/** Handles a batch of the table's stream. `handle` returns the records that failed. */
export function streamWorker(handle: (records: readonly DynamoDBRecord[]) => Promise<readonly DynamoDBRecord[]>) {
  return async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    log.addContext(context);
    const failed = await handle(Records);
    return { batchItemFailures: failed.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })) };
  };
}

/** Handles the records of one kind. Returns those that the stream has to send again, because the table is unavailable. */
type KindHandler = (records: readonly DynamoDBRecord[]) => Promise<readonly DynamoDBRecord[]>;

/**
 * Handles the records of several kinds, each with its own function, at the same time. Lambda repeats everything from the first
 * failed record on, so a kind that fails counts as processed: it is logged, and the sweepers do the rest.
 */
export function streamWorkerByKind(handlers: Readonly<Partial<Record<KeyKind, KindHandler>>>) {
  return streamWorker(async (records) => {
    const byKind = Map.groupBy(records, ({ dynamodb }) => dynamodb?.Keys?.pk?.S?.split('#')[0] ?? '');
    const failed = Object.entries(handlers).map(async ([kind, handle]) => {
      try {
        return await handle(byKind.get(kind) ?? []);
      } catch (error) {
        log.error('Changes of the table could not be processed', { kind, ...reasonOf(error) });
        return [];
      }
    });
    return (await Promise.all(failed)).flat();
  });
}

/** What EventBridge sends for a schedule. */
const Scheduled = v.object({ 'detail-type': v.literal('Scheduled Event') });

/**
 * Runs a schedule. Each entry of the log has the id of the run (function_request_id). A worker that events invoke too counts the runs of its
 * schedule, because its invocations do not show whether the schedule is on.
 */
export function scheduleWorker(run: () => Promise<void>, { alsoAfterEvents = false } = {}) {
  return (event: unknown, context: Context): Promise<void> => {
    log.addContext(context);
    if (alsoAfterEvents && v.is(Scheduled, event)) countOutcome(context.functionName, 'ScheduledRun');
    return run();
  };
}
