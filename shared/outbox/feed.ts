import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { feedKey, feedPartition } from '../data/table/keys.ts';
import { openEnum } from '../data/table/row.ts';
import type { Table } from '../data/table/table.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import { eventIdFloor } from './event-id.ts';
import { feedShardOf, feedShards } from './feed-shards.ts';

const FeedItem = v.pipe(
  v.object({
    sk: v.string(),
    /** A later release may know more types. The event is sent as it is stored. */
    type: openEnum<WebhookEventType>(),
    body: v.string(),
    requestId: v.optional(v.string()),
  }),
  v.transform(({ sk, type, body, requestId }) => ({ eventId: sk, type, body, requestId })),
);
/** An event of the feed: its id, the exact bytes that endpoints receive, and the request that caused it. */
export type FeedEvent = v.InferOutput<typeof FeedItem>;

export interface FeedQuery {
  /** The page begins after this id. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Only events from sinceMs (inclusive) to untilMs (exclusive). */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly nowMs: number;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** The next page begins after this id; undefined when nothing follows yet. */
  readonly next: string | undefined;
}

/**
 * How far the feed stays behind the present. An id is created before its transaction is written, so an event with a smaller id
 * may appear after one with a greater id. A transaction gives up before this time (transact), so older events are complete.
 */
export const feedHorizonMs = 6_000;

/** Reads events in the order of their ids, merged from all partitions of the organisation. */
export async function readFeed(table: Table, orgId: string, query: FeedQuery): Promise<FeedPage> {
  const { after, limit, sinceMs, untilMs, nowMs } = query;
  const floor = eventIdFloor(sinceMs);
  const bounds = {
    from: after !== undefined && after > floor ? idAfter(after) : floor,
    to: eventIdFloor(Math.min(untilMs, nowMs - feedHorizonMs)),
  };
  if (bounds.from >= bounds.to) return { events: [], next: undefined };
  // Each partition holds about an equal share of a page. The merge shows which partitions have to be read further.
  const pageSize = Math.ceil(limit / feedShards) + 1;
  const readers = Array.from(
    { length: feedShards },
    (_, shard): Reader => ({ partition: feedPartition(orgId, shard), events: [], hasMore: true }),
  );
  let incomplete = readers;
  for (;;) {
    await Promise.all(
      incomplete.map(async (reader) => {
        const last = reader.events.at(-1);
        const range = { ...bounds, ...(last && { from: idAfter(last.eventId) }) };
        const { events, hasMore } = await readPartition(table, reader.partition, range, pageSize);
        reader.events.push(...events);
        reader.hasMore = hasMore;
      }),
    );
    const merged = readers.flatMap(({ events }) => events).sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
    incomplete = readers.filter(({ hasMore, events }) => hasMore && endsBefore(events.at(-1), merged[limit]));
    if (incomplete.length > 0) continue;
    const events = merged.slice(0, limit);
    return { events, next: merged.length > limit ? events.at(-1)?.eventId : undefined };
  }
}

/** The events that were read from one partition so far. */
interface Reader {
  readonly partition: string;
  readonly events: FeedEvent[];
  hasMore: boolean;
}

/** Greater than the id and smaller than every later id: all ids have the same length. */
function idAfter(eventId: string): string {
  return `${eventId}~`;
}

/** Whether a partition with more events may contain one that belongs on the page. */
function endsBefore(last: FeedEvent | undefined, firstBeyond: FeedEvent | undefined): boolean {
  return last === undefined || firstBeyond === undefined || last.eventId < firstBeyond.eventId;
}

async function readPartition(
  table: Table,
  partition: string,
  { from, to }: { from: string; to: string },
  Limit: number,
): Promise<{ events: FeedEvent[]; hasMore: boolean }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': partition, ':from': from, ':to': to },
      // A replica that lags would skip an event, and the client would never request that page again.
      ConsistentRead: true,
      Limit,
    }),
  );
  // Without an event there would be no id after which to go on.
  return { events: v.parse(v.array(FeedItem), Items), hasMore: LastEvaluatedKey !== undefined && Items.length > 0 };
}

export function parseFeedEvent(item: unknown): FeedEvent {
  return v.parse(FeedItem, item);
}

/** Reads one event by its id. */
export async function readFeedEvent(table: Table, orgId: string, eventId: string): Promise<FeedEvent | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: feedKey(orgId, feedShardOf(eventId), eventId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : parseFeedEvent(Item);
}
