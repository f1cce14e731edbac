import type { Invoker } from '../lambda/invoker.ts';
import type { QueueSender } from '../sqs/queue-sender.ts';
import { failedItems } from './batch-item-failures.ts';
import type { StreamMapping } from './mappings.ts';
import { pause } from './poller.ts';
import { failureNotice, lambdaRecord, type StreamRecord } from './stream-records.ts';

export interface StreamBatchOptions {
  mapping: StreamMapping;
  invoker: Invoker;
  queues: QueueSender;
  region: string;
  now(): number;
}

const firstRetryPauseMs = 100;
const longestRetryPauseMs = 5_000;

/** Records of one attempt, and the number of attempts so far. */
interface Attempt {
  records: readonly StreamRecord[];
  failures: number;
}

/**
 * Processes one batch of a shard to its end. The records of a shard are handled in order, so a failing record blocks the shard
 * until it succeeds or its retries are used up. Then its position in the stream goes to the failure destination.
 */
export async function handleStreamBatch(
  shardId: string,
  batch: readonly StreamRecord[],
  signal: AbortSignal,
  options: StreamBatchOptions,
): Promise<void> {
  const { mapping, invoker, queues, region, now } = options;
  const arn = mapping.table.streamArn;
  const matching = batch.filter((record) => mapping.filter(lambdaRecord(record, arn, region)));
  const attempts: Attempt[] = matching.length === 0 ? [] : [{ records: matching, failures: 0 }];

  async function reportFailure(
    { records, failures }: Attempt,
    condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded',
  ): Promise<void> {
    if (mapping.failureDestinationArn === undefined) return;
    const functionArn = mapping.definition.arn;
    const notice = failureNotice({
      shardId,
      records,
      streamArn: arn,
      functionArn,
      condition,
      invokeCount: failures,
      nowMs: now(),
    });
    await queues.send(mapping.failureDestinationArn, { body: JSON.stringify(notice) });
  }

  while (!signal.aborted) {
    const attempt = attempts.shift();
    if (attempt === undefined) return;
    // DynamoDB Local uses the machine's time for records. Compared with the cloud's clock, all records could be too old.
    const nowMs = Date.now();
    if (nowMs - arrivalMs(attempt.records[0], nowMs) > mapping.recordAgeMs) {
      await reportFailure(attempt, 'RecordAgeExceeded');
      continue;
    }
    const outcome = await invoker.invoke(mapping.definition, {
      Records: attempt.records.map((record) => lambdaRecord(record, arn, region)),
    });
    const numbers = attempt.records.map(({ dynamodb }) => dynamodb.SequenceNumber);
    const failed = failedItems(outcome, mapping.reportsItemFailures, numbers);
    if (failed.length === 0) continue;
    // Everything before the first failed record is done. The rest of the batch is tried again.
    const firstFailed = Math.min(...failed.map((number) => numbers.indexOf(number)));
    const rest = { records: attempt.records.slice(firstFailed), failures: attempt.failures + 1 };
    if (mapping.bisectsOnError && rest.records.length > 1) {
      // Splitting a batch does not count as a retry.
      attempts.unshift(...halves(rest.records).map((records) => ({ records, failures: attempt.failures })));
    } else if (rest.failures > mapping.retryAttempts) {
      await reportFailure(rest, 'RetryAttemptsExhausted');
      continue;
    } else {
      attempts.unshift(rest);
    }
    await pause(Math.min(longestRetryPauseMs, firstRetryPauseMs * 2 ** Math.min(rest.failures - 1, 10)), signal);
  }
}

function halves(records: readonly StreamRecord[]): [readonly StreamRecord[], readonly StreamRecord[]] {
  const middle = Math.ceil(records.length / 2);
  return [records.slice(0, middle), records.slice(middle)];
}

function arrivalMs(record: StreamRecord | undefined, nowMs: number): number {
  const seconds = record?.dynamodb.ApproximateCreationDateTime;
  return seconds === undefined ? nowMs : seconds * 1000;
}
