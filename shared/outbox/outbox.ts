import { shardOf } from '../data/lists/sharded-list.ts';
import { type DueHint, dueHintItem } from '../data/table/due-hints.ts';
import { feedKey } from '../data/table/keys.ts';
import type { Table } from '../data/table/table.ts';
import type { TransactItem } from '../data/table/transact.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import type { RequestTrace } from '../platform/request-trace.ts';
import { eventIdMs, newEventId } from './event-id.ts';

/** A new event: its type and the data of that type. */
export interface Announcement {
  readonly type: WebhookEventType;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Identifies an event. Only this goes over the bus and the queues: no personal data. */
export interface EventReference extends Pick<RequestTrace, 'requestId'> {
  readonly orgId: string;
  readonly eventId: string;
  readonly type: WebhookEventType;
}

/** When the change happens, and for which API request or run of the CLI. */
export interface Cause {
  readonly nowMs: number;
  readonly requestId: string | undefined;
}

const retentionSeconds = 30 * 86_400;
/** How long the stream may take before the sweeper publishes the event. */
const graceSeconds = 120;

/**
 * The items of an event, to be written in the transaction of the change: the row of the feed, whose bytes are signed and sent
 * to every endpoint, and a hint that the event has to be published. Call it again for each attempt of the transaction, so
 * the id is close to the time of the write (readFeed relies on that).
 */
export function outboxItems(
  table: Table,
  orgId: string,
  { type, data }: Announcement,
  { nowMs, requestId }: Cause,
): readonly TransactItem[] {
  const id = newEventId(nowMs);
  const body = eventBody(orgId, id, { type, data }, nowMs);
  const ttl = Math.floor(nowMs / 1000) + retentionSeconds;
  const row = { ...feedKey(orgId, shardOf(id), id), type, body, requestId, ttl };
  const hint = dueHintItem(pendingHint(orgId, id), { type, requestId, ttl });
  const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  return [{ Put: { TableName: table.name, Item: row, ...isNew } }, { Put: { TableName: table.name, Item: hint } }];
}

/** The exact bytes that endpoints receive. */
export function eventBody(orgId: string, id: string, { type, data }: Announcement, nowMs: number): string {
  return JSON.stringify({ id, type, timestamp: new Date(nowMs).toISOString(), org_id: orgId, data });
}

/** Exists from the change until the deliveries exist, so a crash in between cannot lose the event. */
export function pendingHint(orgId: string, eventId: string): DueHint {
  const dueUnix = Math.floor(eventIdMs(eventId) / 1000) + graceSeconds;
  return { kind: 'outbox', ref: [orgId, eventId], dueUnix };
}
