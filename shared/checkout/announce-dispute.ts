import { changeBasket } from '../data/baskets/baskets.ts';
import { readCustomer } from '../data/customers/read.ts';
import { readEvent } from '../data/events/read.ts';
import { readOrderWithTickets } from '../data/orders/read.ts';
import { type Dispute, recordDispute } from '../domain/baskets/disputes.ts';
import { orderDisputed } from '../mappers/order-events.ts';
import { outboxItems } from '../outbox/outbox.ts';
import type { CheckoutDeps } from './deps.ts';

/** A dispute, and the payment that it is about. */
export interface DisputedPayment {
  readonly orgId: string;
  /** The order of a basket has the id of the basket. */
  readonly basketId: number;
  readonly account: string | null;
  readonly chargeId: string;
  readonly dispute: Dispute;
}

/** Announces a dispute, once. The tickets stay valid: the organisation decides what to do. */
export async function announceDispute(
  { table, clock }: Pick<CheckoutDeps, 'table' | 'clock'>,
  { orgId, basketId, account, chargeId, dispute }: DisputedPayment,
): Promise<void> {
  const placed = await readOrderWithTickets(table, orgId, basketId);
  if (placed === undefined) return;
  const { userId, eventId } = placed.order;
  const fan = userId ? await readCustomer(table, orgId, userId, { consistent: true }) : undefined;
  const event = await readEvent(table, orgId, eventId);
  await changeBasket(
    table,
    { orgId, basketId, decide: (basket) => recordDispute(basket, { ...dispute, chargeId, account }) },
    () =>
      outboxItems(table, orgId, orderDisputed(orgId, placed, { event, fan, dispute }), {
        nowMs: clock.nowMs(),
        requestId: undefined,
      }),
  );
}
