import { randomUUID } from 'node:crypto';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { WebhookEventType } from '../../domain/webhooks/event-types.ts';
import { batchDelete, batchPut } from '../table/batch-write.ts';
import { isConditionFailure } from '../table/failures.ts';
import { getItem } from '../table/get-item.ts';
import { webhookBacklogPartition, webhookDeliveriesPartition, webhookDeliveryKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { labelled, noSideEffects, type SideEffects, transact } from '../table/transact.ts';
import {
  type DeliveryRecord,
  type DeliveryRef,
  deliveryHintKey,
  deliveryItem,
  deliveryMove,
  deliveryRemoval,
  newDeliveryItems,
  parseDelivery,
} from './delivery-row.ts';

const keptSeconds = 30 * 86_400;
/** How long a queue message may take before the sweeper sends another one. */
const queueGraceSeconds = 120;

export const queuedHintUnix = (nowMs: number): number => Math.floor(nowMs / 1000) + queueGraceSeconds;

export interface DeliveryRequest extends DeliveryRef, Pick<DeliveryRecord, 'requestId' | 'redeliveryRequestId'> {
  readonly type: WebhookEventType;
  readonly body?: string;
}

/** Returns a delivery that is to be sent now. */
export function newDelivery(request: DeliveryRequest, nowMs: number): DeliveryRecord {
  const createdUnix = Math.floor(nowMs / 1000);
  return {
    ...request,
    status: 'queued',
    attempts: [],
    spent: 0,
    nextMs: nowMs,
    createdUnix,
    hintUnix: queuedHintUnix(nowMs),
    leaseMs: 0,
    version: 1,
    ttl: createdUnix + keptSeconds,
  };
}

/** Writes a delivery unless it already exists, and returns the stored one: an event may arrive more than once. */
export async function putDelivery(
  table: Table,
  delivery: DeliveryRecord,
  sideEffects: SideEffects<DeliveryRecord> = noSideEffects,
): Promise<DeliveryRecord> {
  const [refusal] = await transact(table, newDeliveryItems(table, delivery), sideEffects(delivery));
  return refusal === undefined ? delivery : parseDelivery(refusal.current);
}

/** Writes deliveries, with their hints, in one transaction. Returns those that did not exist; the others are unchanged. */
export async function putNewDeliveries(
  table: Table,
  deliveries: readonly DeliveryRecord[],
): Promise<readonly DeliveryRecord[]> {
  let left = deliveries;
  while (left.length > 0) {
    const labelOf = ({ endpointId, eventId }: DeliveryRecord) => `${endpointId}#${eventId}`;
    const items = left.flatMap((delivery) => labelled(labelOf(delivery), newDeliveryItems(table, delivery)));
    const refusals = await transact(table, items);
    if (refusals.length === 0) break;
    const existing = new Set(refusals.map(({ label }) => label));
    left = left.filter((delivery) => !existing.has(labelOf(delivery)));
  }
  return left;
}

/**
 * Creates deliveries and claims their first attempt in the same write. Returns those that did not exist: of several messages
 * for a delivery one sends. They have no hint, because the hint of their event exists until the sweeper has checked them.
 */
export async function claimNewDeliveries(
  table: Table,
  deliveries: readonly DeliveryRecord[],
  untilMs: number,
): Promise<readonly DeliveryRecord[]> {
  const claimed = deliveries.map((delivery) => ({ ...delivery, hintUnix: null, leaseMs: untilMs }));
  const [only] = claimed;
  // A transaction costs twice as much. The claim's own token is accepted, because the SDK sends a call again.
  if (only !== undefined && claimed.length === 1) return (await putClaimed(table, only)) ? claimed : [];
  return putNewDeliveries(table, claimed);
}

async function putClaimed(table: Table, delivery: DeliveryRecord): Promise<boolean> {
  const claim = randomUUID();
  try {
    await retryConflicts(() =>
      table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...deliveryItem(delivery), claim },
          ConditionExpression: 'attribute_not_exists(pk) OR claim = :claim',
          ExpressionAttributeValues: { ':claim': claim },
        }),
      ),
    );
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}

/**
 * Stores the acknowledgements of claimed deliveries, then removes their hints. They need no condition: until its lease ends,
 * which is after the end of every function that sends, nothing but its owner changes a delivery.
 */
export async function putAcknowledged(table: Table, deliveries: readonly DeliveryRecord[]): Promise<void> {
  await batchPut(
    table,
    deliveries.map((delivery) => deliveryItem({ ...delivery, hintUnix: null, version: delivery.version + 1 })),
  );
  // A hint that a crash leaves behind is removed by the sweeper.
  await batchDelete(
    table,
    deliveries.flatMap((delivery) => deliveryHintKey(delivery) ?? []),
  );
}

export async function readDelivery(table: Table, ref: DeliveryRef): Promise<DeliveryRecord | undefined> {
  const item = await getItem(table, webhookDeliveryKey(ref.orgId, ref.endpointId, ref.eventId), { consistent: true });
  return item === undefined ? undefined : parseDelivery(item);
}

/**
 * Claims the right to make the next attempt, for the maximum duration of an attempt. Returns undefined if another worker has
 * it or the delivery has changed, so only one of several messages for a delivery gets it. The claim's own token is accepted,
 * because the SDK sends a call again if its response was lost.
 */
export async function claimDelivery(
  table: Table,
  delivery: DeliveryRecord,
  nowMs: number,
  untilMs: number,
): Promise<DeliveryRecord | undefined> {
  const { orgId, endpointId, eventId, version } = delivery;
  try {
    await retryConflicts(() =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: webhookDeliveryKey(orgId, endpointId, eventId),
          UpdateExpression: 'SET leaseMs = :until, claim = :claim',
          ConditionExpression: 'version = :version AND (leaseMs < :now OR claim = :claim)',
          ExpressionAttributeValues: { ':until': untilMs, ':version': version, ':now': nowMs, ':claim': randomUUID() },
        }),
      ),
    );
    return { ...delivery, leaseMs: untilMs };
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}

/** Releases an unused claim. */
export async function releaseDelivery(
  table: Table,
  { orgId, endpointId, eventId, leaseMs }: DeliveryRecord,
): Promise<void> {
  const release = new UpdateCommand({
    TableName: table.name,
    Key: webhookDeliveryKey(orgId, endpointId, eventId),
    UpdateExpression: 'SET leaseMs = :none',
    ConditionExpression: 'leaseMs = :mine',
    ExpressionAttributeValues: { ':none': 0, ':mine': leaseMs },
  });
  await retryConflicts(() => table.client.send(release)).catch((error: unknown) => {
    if (!isConditionFailure(error)) throw error;
  });
}

/** Returns false if the delivery has changed since it was read; then nothing is written. */
export async function moveDelivery(
  table: Table,
  from: DeliveryRecord,
  to: DeliveryRecord,
  sideEffects: SideEffects<DeliveryRecord> = noSideEffects,
): Promise<boolean> {
  return (await transact(table, deliveryMove(table, from, to), sideEffects(to))).length === 0;
}

export async function removeDelivery(table: Table, delivery: DeliveryRecord): Promise<void> {
  await transact(table, deliveryRemoval(table, delivery));
}

/** Returns the oldest deliveries of an endpoint's backlog. The index may be outdated, so each delivery is claimed before use. */
export async function readBacklog(
  table: Table,
  { orgId, endpointId }: Omit<DeliveryRef, 'eventId'>,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<DeliveryRecord[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'by1',
      KeyConditionExpression: 'by1pk = :backlog AND by1sk > :after',
      ExpressionAttributeValues: { ':backlog': webhookBacklogPartition(orgId, endpointId), ':after': after ?? ' ' },
      Limit: limit,
    }),
  );
  return Items.map(parseDelivery);
}

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryRecord[];
  /** The event id after which the next page begins. */
  readonly next: string | undefined;
}

/** Returns a page of deliveries, the newest first. */
export async function listDeliveries(
  table: Table,
  { orgId, endpointId }: Omit<DeliveryRef, 'eventId'>,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<DeliveryPage> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk < :after',
      ExpressionAttributeValues: { ':pk': webhookDeliveriesPartition(orgId, endpointId), ':after': after ?? '~' },
      ScanIndexForward: false,
      // One row more than the page shows whether another page follows.
      Limit: limit + 1,
    }),
  );
  const found = Items.map(parseDelivery);
  const deliveries = found.slice(0, limit);
  // Long responses of receivers may reach the size limit of a Query before the page is full.
  const hasMore = found.length > limit || LastEvaluatedKey !== undefined;
  return { deliveries, next: hasMore ? deliveries.at(-1)?.eventId : undefined };
}
