import { type DueHint, dueHintItem } from '../data/table/due-hints.ts';
import { feedKey } from '../data/table/keys.ts';
import type { Table } from '../data/table/table.ts';
import type { TransactItem } from '../data/table/transact.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import { eventIdMs, newEventId } from './event-id.ts';
import { feedShardOf } from './feed-shards.ts';

/** Something that happened, as the mission tells of it. */
export interface Announcement {
  readonly type: WebhookEventType;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Where an event stands: all that travels over the bus and the queues. Nothing of a fan is in it. */
export interface EventReference {
  readonly orgId: string;
  readonly eventId: string;
  readonly type: WebhookEventType;
}

const retentionSeconds = 30 * 86_400;
/** How long the stream may take before the sweeper publishes instead. */
const graceSeconds = 120;

/**
 * The event of a change, to be written in the change's own transaction: the row of the feed, whose bytes are what every
 * endpoint gets and what is signed, and a hint that it may still have to be published. Make it anew for each attempt, so
 * that its id is close to the moment it is written (readFeed relies on that).
 */
export function outboxItems(
  table: Table,
  orgId: string,
  { type, data }: Announcement,
  nowMs: number,
): readonly TransactItem[] {
  const id = newEventId(nowMs);
  const body = eventBody(orgId, id, { type, data }, nowMs);
  const ttl = Math.floor(nowMs / 1000) + retentionSeconds;
  const row = { ...feedKey(orgId, feedShardOf(id), id), type, body, ttl };
  const hint = dueHintItem(pendingHint(orgId, id), { type, ttl });
  const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  return [{ Put: { TableName: table.name, Item: row, ...isNew } }, { Put: { TableName: table.name, Item: hint } }];
}

/** The bytes that endpoints get. */
export function eventBody(orgId: string, id: string, { type, data }: Announcement, nowMs: number): string {
  return JSON.stringify({ id, type, timestamp: new Date(nowMs).toISOString(), org_id: orgId, data });
}

/** Stands from the change until its deliveries exist, so that no crash in between can lose it. */
export function pendingHint(orgId: string, eventId: string): DueHint {
  const dueUnix = Math.floor(eventIdMs(eventId) / 1000) + graceSeconds;
  return { kind: 'outbox', ref: [orgId, eventId], dueUnix };
}
