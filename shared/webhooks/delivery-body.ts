import { moveDelivery } from '../data/webhook-deliveries.ts';
import type { DeliveryRecord } from '../data/webhook-deliveries-row.ts';
import { readEventOfFeed } from '../events/feed.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** The exact bytes to send: in the feed, once for all endpoints; a test event carries its own. */
export async function bodyOf({ table }: DeliveryDeps, delivery: DeliveryRecord): Promise<string | undefined> {
  if (delivery.body !== undefined) return delivery.body;
  return (await readEventOfFeed(table, delivery.orgId, delivery.eventId))?.body;
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
