import * as v from 'valibot';
import { deliveryStatuses, isUnfinished } from '../../domain/webhooks/delivery.ts';
import type { WebhookEventType } from '../../domain/webhooks/event-types.ts';
import { traceOf } from '../../platform/request-trace.ts';
import { type DueHint, dueHintItem, dueHintKey } from '../table/due-hints.ts';
import { type ItemKey, webhookBacklogPartition, webhookDeliveryKey } from '../table/keys.ts';
import { openEnum, row, storedEnum } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** Identifies the delivery of one event to one endpoint. */
export interface DeliveryRef {
  readonly orgId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

const Attempt = row({
  atUnix: v.number(),
  statusCode: v.nullable(v.number()),
  durationMs: v.number(),
  outcome: v.string(),
  response: v.nullable(v.string()),
});

const DeliveryItem = row(
  {
    orgId: v.string(),
    endpointId: v.string(),
    eventId: v.string(),
    type: openEnum<WebhookEventType>(),
    /** Only for a test event, which is not in the feed. */
    body: v.optional(v.string()),
    status: storedEnum(deliveryStatuses, 'dead'),
    attempts: v.array(Attempt),
    spent: v.number(),
    nextMs: v.nullable(v.number()),
    createdUnix: v.number(),
    /** The replay that last requested the delivery. */
    replayId: v.optional(v.string()),
    /** The API request that caused the event, and the one that last asked for a redelivery or a replay. */
    requestId: v.optional(v.string()),
    redeliveryRequestId: v.optional(v.string()),
    /** The second of its due hint; null when it is finished. */
    hintUnix: v.nullable(v.number()),
    /** Until when an attempt may be in progress. */
    leaseMs: v.number(),
    version: v.number(),
    ttl: v.number(),
  },
  ['claim'],
);
export type DeliveryRecord = v.InferOutput<typeof DeliveryItem>;

export function parseDelivery(item: unknown): DeliveryRecord {
  return v.parse(DeliveryItem, item);
}

/** A parked delivery is in its endpoint's backlog, sorted by the time of its event. */
export function deliveryItem(delivery: DeliveryRecord): Record<string, unknown> {
  const { orgId, endpointId, eventId } = delivery;
  return {
    ...delivery,
    ...webhookDeliveryKey(orgId, endpointId, eventId),
    ...(delivery.status === 'parked' && { by1pk: webhookBacklogPartition(orgId, endpointId), by1sk: eventId }),
  };
}

function hintOf({ orgId, endpointId, eventId, hintUnix }: DeliveryRecord): DueHint | undefined {
  return hintUnix === null ? undefined : { kind: 'delivery', ref: [orgId, endpointId, eventId], dueUnix: hintUnix };
}

/** The key of the due hint of a delivery, if it has one. */
export function deliveryHintKey(delivery: DeliveryRecord): ItemKey | undefined {
  const hint = hintOf(delivery);
  return hint && dueHintKey(hint);
}

/**
 * The items that change a delivery from one state to the next, on the condition that it is still in the first. Every
 * unfinished delivery has a due hint, so it is not forgotten after a crash or a lost message.
 */
export function deliveryMove(table: Table, from: DeliveryRecord, to: DeliveryRecord): TransactItem[] {
  const TableName = table.name;
  const next = { ...to, hintUnix: isUnfinished(to) ? to.hintUnix : null, version: from.version + 1 };
  const [oldHint, newHint] = [hintOf(from), hintOf(next)];
  const isSameHint = oldHint?.dueUnix === newHint?.dueUnix;
  return [
    {
      Put: {
        TableName,
        Item: deliveryItem(next),
        ConditionExpression: 'version = :version AND leaseMs = :lease',
        ExpressionAttributeValues: { ':version': from.version, ':lease': from.leaseMs },
      },
    },
    ...(oldHint !== undefined && !isSameHint ? [{ Delete: { TableName, Key: dueHintKey(oldHint) } }] : []),
    ...(newHint !== undefined && !isSameHint
      ? [{ Put: { TableName, Item: dueHintItem(newHint, traceOf(next)) } }]
      : []),
  ];
}

export function newDeliveryItems(table: Table, delivery: DeliveryRecord): TransactItem[] {
  const TableName = table.name;
  const hint = hintOf(delivery);
  return [
    {
      Put: {
        TableName,
        Item: deliveryItem(delivery),
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    ...(hint === undefined ? [] : [{ Put: { TableName, Item: dueHintItem(hint, traceOf(delivery)) } }]),
  ];
}

export function deliveryRemoval(table: Table, delivery: DeliveryRecord): TransactItem[] {
  const TableName = table.name;
  const { orgId, endpointId, eventId } = delivery;
  const hint = hintOf(delivery);
  return [
    { Delete: { TableName, Key: webhookDeliveryKey(orgId, endpointId, eventId) } },
    ...(hint === undefined ? [] : [{ Delete: { TableName, Key: dueHintKey(hint) } }]),
  ];
}
