import * as v from 'valibot';
import { listHorizonMs, readSharded, shardNumbers, shardOf } from '../data/lists/sharded-list.ts';
import { getItem } from '../data/table/get-item.ts';
import { feedKey, feedPartition } from '../data/table/keys.ts';
import { openEnum } from '../data/table/row.ts';
import type { Table } from '../data/table/table.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import { eventIdFloor } from './event-id.ts';

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

/** Reads events in the order of their ids, merged from all partitions of the organisation. */
export async function readFeed(table: Table, orgId: string, query: FeedQuery): Promise<FeedPage> {
  const { after, limit, sinceMs, untilMs, nowMs } = query;
  const list = {
    partitions: shardNumbers.map((shard) => feedPartition(orgId, shard)),
    parse: parseFeedEvent,
    idOf: ({ eventId }: FeedEvent) => eventId,
    floor: eventIdFloor,
  };
  const window = { after, sinceMs, untilMs: Math.min(untilMs, nowMs - listHorizonMs) };
  const { rows, next } = await readSharded(table, list, window, limit);
  return { events: rows, next };
}

export function parseFeedEvent(item: unknown): FeedEvent {
  return v.parse(FeedItem, item);
}

/** Reads one event by its id. */
export async function readFeedEvent(table: Table, orgId: string, eventId: string): Promise<FeedEvent | undefined> {
  const item = await getItem(table, feedKey(orgId, shardOf(eventId), eventId), { consistent: true });
  return item === undefined ? undefined : parseFeedEvent(item);
}
