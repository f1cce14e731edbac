import { shardOf } from '../data/lists/sharded-list.ts';
import { batchGet } from '../data/table/batch-get.ts';
import { feedKey } from '../data/table/keys.ts';
import { moveDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { parseFeedEvent, readFeedEvent } from '../outbox/feed.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** The exact bytes to send. They are in the feed, once for all endpoints; the delivery of a test event contains its own. */
export async function readBody({ table }: DeliveryDeps, delivery: DeliveryRecord): Promise<string | undefined> {
  if (delivery.body !== undefined) return delivery.body;
  return (await readFeedEvent(table, delivery.orgId, delivery.eventId))?.body;
}

/** Reads the bytes of many deliveries in one call, by event id. Events that are not in the feed are missing. */
export async function readBodies(
  deps: DeliveryDeps,
  deliveries: readonly DeliveryRecord[],
): Promise<ReadonlyMap<string, string>> {
  const { table } = deps;
  const [only, ...others] = deliveries;
  // A call for a single item takes less CPU.
  if (only !== undefined && others.length === 0) {
    const body = await readBody(deps, only);
    return new Map(body === undefined ? [] : [[only.eventId, body]]);
  }
  const keys = deliveries
    .filter(({ body }) => body === undefined)
    .map(({ orgId, eventId }) => feedKey(orgId, shardOf(eventId), eventId));
  const items = await batchGet(table, keys, { consistent: true });
  return new Map(items.map(parseFeedEvent).map(({ eventId, body }) => [eventId, body]));
}

/** An event stays in the feed for thirty days, or until a person in it is erased. */
export async function markDeadWithoutBody({ table, clock }: DeliveryDeps, delivery: DeliveryRecord): Promise<void> {
  const outcome = 'Not sent: the event is no longer kept.';
  const atUnix = Math.floor(clock.nowMs() / 1000);
  const attempt = { atUnix, statusCode: null, durationMs: 0, outcome, response: null };
  await moveDelivery(table, delivery, {
    ...delivery,
    status: 'dead',
    nextMs: null,
    leaseMs: 0,
    attempts: [...delivery.attempts, attempt],
  });
}
