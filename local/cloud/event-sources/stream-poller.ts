import * as v from 'valibot';
import { type AwsJsonClient, AwsServiceError } from '../http/aws-json-client.ts';
import type { StreamMapping } from './mappings.ts';
import { type Poller, pause, startPolling } from './poller.ts';
import { handleStreamBatch, type StreamBatchOptions } from './stream-batch.ts';
import type { ReadStreamPage, StreamPage } from './stream-pages.ts';
import type { StreamPositions } from './stream-positions.ts';
import type { StreamRecord } from './stream-records.ts';

const TableDescription = v.object({ Table: v.object({ LatestStreamArn: v.string() }) });
const StreamDescription = v.object({
  StreamDescription: v.object({
    Shards: v.optional(v.array(v.object({ ShardId: v.string() })), []),
  }),
});
const ShardIterator = v.object({ ShardIterator: v.string() });

/** The pauses between reads of an empty stream, which grow up to the last one. */
const idlePausesMs = [50, 100, 200];

export interface StreamPollerOptions extends StreamBatchOptions {
  mapping: StreamMapping;
  dynamodb: AwsJsonClient;
  streams: AwsJsonClient;
  readPage: ReadStreamPage;
  positions: StreamPositions;
}

/** How far a shard was read: records that no batch contains yet, and the iterator behind them, undefined at the shard's end. */
interface Place {
  readonly unread: StreamRecord[];
  iterator: string | undefined;
}

export interface StreamPoller extends Poller {
  /** Resolves when the poller has its position: it reads everything that is written from then on. */
  opened: Promise<void>;
}

/** Reads the stream of a table for one function, shard by shard and each shard in order. */
export function startStreamPoller(options: StreamPollerOptions): StreamPoller {
  const { mapping, dynamodb, streams, readPage, positions } = options;
  const { logicalId, table } = mapping;
  const finishedShards = new Set<string>();
  // A mapping with LATEST starts at the end once. It reads later shards from their start.
  let startsAtEnd = mapping.startingPosition === 'LATEST' && !positions.has(logicalId);
  let streamArn: string | undefined;
  let markOpened = () => {};
  const opened = new Promise<void>((resolve) => {
    markOpened = resolve;
  });

  async function describe(): Promise<{ arn: string; shardIds: string[] }> {
    streamArn ??= v.parse(TableDescription, await dynamodb.call('DescribeTable', { TableName: table.name })).Table
      .LatestStreamArn;
    const response = await streams.call('DescribeStream', { StreamArn: streamArn });
    const shardIds = v.parse(StreamDescription, response).StreamDescription.Shards.map(({ ShardId }) => ShardId);
    if (startsAtEnd) for (const older of shardIds.slice(0, -1)) finishedShards.add(older);
    return { arn: streamArn, shardIds: shardIds.filter((id) => !finishedShards.has(id)) };
  }

  async function openShard(arn: string, shardId: string): Promise<string> {
    const open = async (type: string, sequenceNumber?: string) => {
      const input = { StreamArn: arn, ShardId: shardId, ShardIteratorType: type, SequenceNumber: sequenceNumber };
      return v.parse(ShardIterator, await streams.call('GetShardIterator', input)).ShardIterator;
    };
    const position = positions.of(logicalId, shardId);
    if (position === undefined) return open(startsAtEnd ? 'LATEST' : 'TRIM_HORIZON');
    return open('AFTER_SEQUENCE_NUMBER', position).catch((error: unknown) => {
      // The stored position is older than the stream's records, or belongs to an earlier table of this name.
      if (error instanceof AwsServiceError) return open('TRIM_HORIZON');
      throw error;
    });
  }

  /** Fills a batch, for at most the batching window of the mapping. */
  async function gather(place: Place, signal: AbortSignal): Promise<StreamRecord[]> {
    const records: StreamRecord[] = [];
    let windowEndsAt = Number.POSITIVE_INFINITY;
    for (let idle = 0; !signal.aborted; idle += 1) {
      const page = place.unread.splice(0, mapping.batchSize - records.length);
      if (records.length === 0 && page.length > 0) windowEndsAt = Date.now() + mapping.windowMs;
      records.push(...page);
      if (records.length >= mapping.batchSize || Date.now() >= windowEndsAt || place.iterator === undefined) break;
      if (page.length > 0) idle = 0;
      await pause(idlePausesMs[Math.min(idle, idlePausesMs.length - 1)] ?? 0, signal);
      const { records: unread, next }: StreamPage = await readPage(place.iterator);
      place.unread.push(...unread);
      place.iterator = next;
    }
    return records;
  }

  async function readShard(arn: string, shardId: string, signal: AbortSignal): Promise<void> {
    const place: Place = { unread: [], iterator: await openShard(arn, shardId) };
    startsAtEnd = false;
    markOpened();
    while ((place.iterator !== undefined || place.unread.length > 0) && !signal.aborted) {
      const records = await gather(place, signal);
      await handleStreamBatch(shardId, records, signal, options);
      const last = records.at(-1);
      // A stop during a batch does not advance the position, so the next run tries the batch again.
      if (last !== undefined && !signal.aborted) positions.set(logicalId, shardId, last.dynamodb.SequenceNumber);
    }
    if (!signal.aborted) finishedShards.add(shardId);
  }

  const poller = startPolling(`The stream of ${table.name}`, async (signal) => {
    const { arn, shardIds } = await describe();
    const [oldest] = shardIds;
    if (oldest === undefined) await pause(idlePausesMs.at(-1) ?? 0, signal);
    else await readShard(arn, oldest, signal);
  });
  return { opened, stop: poller.stop };
}
