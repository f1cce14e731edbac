import * as v from 'valibot';
import type { AwsJsonClient } from '../http/aws-json-client.ts';
import type { Invoker } from '../lambda/invoker.ts';
import { failedItems } from './batch-item-failures.ts';
import { withParsedBody } from './filter.ts';
import type { QueueMapping } from './mappings.ts';
import { type Poller, startPolling } from './poller.ts';
import { Message, queueRecord } from './queue-records.ts';

const Received = v.object({ Messages: v.optional(v.array(Message), []) });

/** Short enough for a quick stop, and long enough that an idle queue costs nothing. */
const longPollSeconds = 2;
const receiveLimit = 10;

export interface QueuePollerOptions {
  mapping: QueueMapping;
  sqs: AwsJsonClient;
  invoker: Invoker;
  region: string;
}

/**
 * Reads one queue for one function, with one long poll at a time, while the function handles up to `concurrency` batches.
 * A message that the function did not handle is left in the queue and returns after its visibility timeout.
 */
export function startQueuePoller({ mapping, sqs, invoker, region }: QueuePollerOptions): Poller {
  const { queue, definition } = mapping;
  const underway = new Set<Promise<void>>();

  async function receive(limit: number, waitSeconds: number): Promise<Message[]> {
    const response = await sqs.call('ReceiveMessage', {
      QueueUrl: queue.url,
      MaxNumberOfMessages: Math.min(limit, receiveLimit),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    return v.parse(Received, response).Messages;
  }

  /** Waits for the first message, then collects more until the batch is full or the batching window ends. */
  async function gather(signal: AbortSignal): Promise<Message[]> {
    const batch = await receive(mapping.batchSize, longPollSeconds);
    if (mapping.windowMs === 0) return batch;
    const windowEndsAt = Date.now() + mapping.windowMs;
    while (batch.length > 0 && batch.length < mapping.batchSize && !signal.aborted) {
      const leftSeconds = Math.ceil((windowEndsAt - Date.now()) / 1000);
      const more = await receive(mapping.batchSize - batch.length, Math.max(0, Math.min(leftSeconds, longPollSeconds)));
      batch.push(...more);
      if (more.length === 0 && Date.now() >= windowEndsAt) break;
    }
    return batch;
  }

  async function remove(messages: readonly Message[]): Promise<void> {
    await Promise.all(
      messages.map(({ ReceiptHandle }) => sqs.call('DeleteMessage', { QueueUrl: queue.url, ReceiptHandle })),
    );
  }

  async function handle(batch: readonly Message[]): Promise<void> {
    const entries = batch.map((message) => ({ message, record: queueRecord(message, queue.arn, region) }));
    const matching = entries.filter(({ record }) => mapping.filter(withParsedBody(record)));
    await remove(entries.filter((entry) => !matching.includes(entry)).map(({ message }) => message));
    if (matching.length === 0) return;
    const outcome = await invoker.invoke(definition, { Records: matching.map(({ record }) => record) });
    const identifiers = matching.map(({ message }) => message.MessageId);
    const failed = failedItems(outcome, mapping.reportsItemFailures, identifiers);
    await remove(matching.map(({ message }) => message).filter(({ MessageId }) => !failed.includes(MessageId)));
  }

  return startPolling(`The queue ${queue.name}`, async (signal) => {
    while (underway.size >= mapping.concurrency) await Promise.race(underway);
    const batch = await gather(signal);
    if (batch.length === 0 || signal.aborted) return;
    const handled: Promise<void> = handle(batch)
      // No message is lost: one that was not deleted returns to the queue.
      .catch((error: unknown) => {
        if (!signal.aborted) process.emitWarning(`A batch of ${queue.name} failed: ${String(error)}`);
      })
      .finally(() => underway.delete(handled));
    underway.add(handled);
  });
}
