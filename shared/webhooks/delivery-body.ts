import { batchGet } from '../data/table/batch-get.ts';
import { feedKey } from '../data/table/keys.ts';
import { moveDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { parseFeedEvent, readEventOfFeed } from '../outbox/feed.ts';
import { feedShardOf } from '../outbox/feed-shards.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** The exact bytes to send: in the feed, once for all endpoints; a test event carries its own. */
export async function bodyOf({ table }: DeliveryDeps, delivery: DeliveryRecord): Promise<string | undefined> {
  if (delivery.body !== undefined) return delivery.body;
  return (await readEventOfFeed(table, delivery.orgId, delivery.eventId))?.body;
}

/** The bytes of many in one call, by the ids of their events: of those that the feed has. */
export async function bodiesOf(
  { table }: DeliveryDeps,
  deliveries: readonly DeliveryRecord[],
): Promise<ReadonlyMap<string, string>> {
  const keys = deliveries
    .filter(({ body }) => body === undefined)
    .map(({ orgId, eventId }) => feedKey(orgId, feedShardOf(eventId), eventId));
  const items = await batchGet(table, keys, { consistent: true });
  return new Map(items.map(parseFeedEvent).map(({ eventId, body }) => [eventId, body]));
}

/** Events are kept for thirty days, unless a person in them was erased before. */
export async function giveUpWithoutBody({ table, clock }: DeliveryDeps, delivery: DeliveryRecord): Promise<void> {
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
