import * as v from 'valibot';
import { deliveryStatuses, isUnfinished } from '../../domain/webhooks/delivery.ts';
import { webhookEventTypes } from '../../domain/webhooks/event-types.ts';
import { type DueHint, dueHintItem, dueHintKey } from '../table/due-hints.ts';
import { webhookBacklogPartition, webhookDeliveryKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** Names one event on its way to one endpoint. */
export interface DeliveryRef {
  readonly orgId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

const Attempt = v.object({
  atUnix: v.number(),
  statusCode: v.nullable(v.number()),
  durationMs: v.number(),
  outcome: v.string(),
  response: v.nullable(v.string()),
});

const DeliveryItem = v.object({
  orgId: v.string(),
  endpointId: v.string(),
  eventId: v.string(),
  type: v.picklist(webhookEventTypes),
  /** Only of what is not in the feed: a test event. */
  body: v.optional(v.string()),
  status: v.picklist(deliveryStatuses),
  attempts: v.array(Attempt),
  spent: v.number(),
  nextMs: v.nullable(v.number()),
  createdUnix: v.number(),
  /** The replay that last asked for it. */
  replayId: v.optional(v.string()),
  /** The second of its due hint; null once it is finished. */
  hintUnix: v.nullable(v.number()),
  /** Until when an attempt may be under way. */
  leaseMs: v.number(),
  version: v.number(),
  ttl: v.number(),
});
export type DeliveryRecord = v.InferOutput<typeof DeliveryItem>;

export function parseDelivery(item: unknown): DeliveryRecord {
  return v.parse(DeliveryItem, item);
}

/** A parked delivery stands in its endpoint's line, in the order in which things happened. */
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

/**
 * The items that take a delivery from one state to the next, on the condition that it is still in the first. Every
 * unfinished delivery has a due hint, so that no crash and no lost message can make anybody forget it.
 */
export function deliveryMove(table: Table, from: DeliveryRecord, to: DeliveryRecord): TransactItem[] {
  const TableName = table.name;
  const next = { ...to, hintUnix: isUnfinished(to) ? to.hintUnix : null, version: from.version + 1 };
  const [oldHint, newHint] = [hintOf(from), hintOf(next)];
  const staysPut = oldHint?.dueUnix === newHint?.dueUnix;
  return [
    {
      Put: {
        TableName,
        Item: deliveryItem(next),
        ConditionExpression: 'version = :version AND leaseMs = :lease',
        ExpressionAttributeValues: { ':version': from.version, ':lease': from.leaseMs },
      },
    },
    ...(oldHint !== undefined && !staysPut ? [{ Delete: { TableName, Key: dueHintKey(oldHint) } }] : []),
    ...(newHint !== undefined && !staysPut ? [{ Put: { TableName, Item: dueHintItem(newHint) } }] : []),
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
    ...(hint === undefined ? [] : [{ Put: { TableName, Item: dueHintItem(hint) } }]),
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
