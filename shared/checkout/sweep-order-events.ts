import { dueHintKey, type FoundHint, removeHint } from '../data/table/due-hints.ts';
import type { Table } from '../data/table/table.ts';
import { transact } from '../data/table/transact.ts';
import type { Basket } from '../domain/baskets/basket.ts';
import { groupBy } from '../domain/group-by.ts';
import { readFeedEvent } from '../outbox/feed.ts';
import { pendingHint, pendingHintPut } from '../outbox/outbox.ts';
import type { HintedEvent, SettleEvents } from '../outbox/sweep.ts';
import { unixSeconds } from '../platform/clock.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import type { CheckoutDeps } from './deps.ts';

export interface OrderEventDeps extends Pick<CheckoutDeps, 'table' | 'clock'> {
  /** Removes the hints of those events of an organisation whose deliveries exist, and returns the others. */
  readonly settleEvents: SettleEvents;
}

/** A hint that leads to the event of an order, and the basket that became the order. */
interface HintedOrder {
  readonly hint: FoundHint;
  readonly basket: Pick<Basket, 'order'>;
}

/**
 * Checks the events of orders by the hints of their checkouts, when the events are as old as those that sweep-outbox checks. A
 * younger one is left to a later run. The hint is removed when the deliveries exist. Otherwise the event gets a hint of its own in
 * its place, by which sweep-outbox publishes it until they do.
 */
export async function settleOrderEvents(
  { table, clock, settleEvents }: OrderEventDeps,
  orders: readonly HintedOrder[],
): Promise<{ readonly done: number; readonly failed: number }> {
  const nowUnix = unixSeconds(clock);
  const due = groupBy(
    orders.flatMap((order) => dueEvents(order, nowUnix)),
    ({ orgId }) => orgId,
  );
  const counts = { done: 0, failed: 0 };
  await Promise.all(
    [...due].map(async ([orgId, events]) => {
      try {
        const left = await settleEvents(table, orgId, events);
        await Promise.all(left.map((event) => handOver(table, event)));
        counts.done += events.length;
      } catch (error) {
        log.error('Events of orders could not be checked', { org_id: orgId, ...reasonOf(error) });
        // sweep-outbox tries again less and less often. Here they would delay the baskets of all organisations each minute.
        const ended = await Promise.allSettled(events.map((event) => handOver(table, event)));
        counts.failed += ended.filter(({ status }) => status === 'rejected').length;
        counts.done += ended.filter(({ status }) => status === 'fulfilled').length;
      }
    }),
  );
  return counts;
}

interface OrderEvent extends HintedEvent {
  readonly orgId: string;
  readonly hint: FoundHint;
}

function dueEvents({ hint, basket }: HintedOrder, nowUnix: number): OrderEvent[] {
  const [orgId] = hint.ref;
  const eventId = basket.order?.event?.id;
  if (eventId === undefined || nowUnix < pendingHint(orgId, eventId).dueUnix) return [];
  return [{ orgId, eventId, type: 'order.completed', hint }];
}

/** Replaces the hint by one of the event's own. An event whose time in the feed is over cannot be published any more. */
async function handOver(table: Table, { orgId, eventId, hint }: OrderEvent): Promise<void> {
  const event = await readFeedEvent(table, orgId, eventId);
  if (event === undefined) return removeHint(table, hint);
  const removal = { Delete: { TableName: table.name, Key: dueHintKey(hint) } };
  await transact(table, [pendingHintPut(table, { ...event, orgId }), removal]);
}
