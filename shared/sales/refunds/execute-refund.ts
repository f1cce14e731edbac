import { basketPut, changeBasket, readBasket } from '../../data/baskets/baskets.ts';
import { orderCheck } from '../../data/orders/change-tickets.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { retry, retryUntil } from '../../data/table/retry.ts';
import { SideEffectsRefused, type TransactItem } from '../../data/table/transact.ts';
import type { Basket, BasketPayment, BasketRefund } from '../../domain/baskets/basket.ts';
import { endRefund, recordReturned } from '../../domain/baskets/refunds.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import { type OrderContext, orderRefunded } from '../../mappers/order-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { callProvider } from '../../payments/payments.ts';
import type { CheckoutDeps } from '../deps.ts';
import { awaitReturn } from './await-return.ts';
import { cancelOrRefundTickets, readOrderContext } from './cancel-or-refund-tickets.ts';
import { type RefundedCharge, refundedCharges } from './refund-plans.ts';
import { type ChangedByRequest, readChangedByRequest, restoredItems, returnedShares } from './restore-refused.ts';

export type ExecutedRefund =
  | 'refunded'
  /** Everything is as before the request, except what was returned before a later charge was refused. */
  | 'refused'
  /** The provider has not responded. The sweeper repeats the call until it does, and then changes the tickets. */
  | 'pending'
  /** Another process has ended it meanwhile. */
  | 'taken_over';

/**
 * Executes a recorded refund, from any step at which it was interrupted: the provider refunds the money, then one transaction
 * changes tickets, order, counters and stock and announces the event. The provider recognises a repeated call. What a tender has paid,
 * somebody hands over later.
 */
export async function executeRefund(deps: CheckoutDeps, basket: Basket, refund: BasketRefund): Promise<ExecutedRefund> {
  const { basketId, payment } = basket;
  if (payment === null) {
    await awaitReturn(deps, basketId, refund);
    return 'refunded';
  }
  const result = await refundCharges(deps, basket, payment, refund);
  if (result === 'unknown') return 'pending';
  if (result === 'taken_over') return result;
  if (result.outcome === 'refused') await recordRefusal(deps, basketId, refund, result.returned);
  else await completeRefund(deps, basketId, refund);
  return result.outcome;
}

/** `refused` has the charges that were returned before the refused one. */
type ReturnedCharges =
  | { readonly outcome: 'refunded' }
  | { readonly outcome: 'refused'; readonly returned: readonly RefundedCharge[] };

/**
 * Refunds the charges of the refund, newest first: those of the instalments of its memberships, then the payment of the basket. It stops at
 * the first that is refused. What was returned is written down before the next, so a repeat does not ask for it again, and a process whose
 * refund has ended meanwhile returns no more.
 */
async function refundCharges(
  deps: CheckoutDeps,
  basket: Basket,
  payment: BasketPayment,
  refund: BasketRefund,
): Promise<ReturnedCharges | 'unknown' | 'taken_over'> {
  const { table, orgId, payments } = deps;
  const { basketId } = basket;
  const parts = await refundedCharges(deps, basket, payment, refund);
  for (const [index, { charge, key, amountMinor }] of parts.entries()) {
    if (index < (refund.returnedCharges ?? 0)) continue;
    const provider = await payments.byName(charge.provider);
    const known = { orgId, account: charge.account, chargeId: charge.chargeId, key: String(basketId) };
    const wanted = { key, amountMinor, currency: payment.currency };
    const refunded = await callProvider(provider, payments.timeoutMs, (api, signal) =>
      api.refund(known, wanted, signal),
    );
    if (refunded === 'unknown') return refunded;
    if (refunded.outcome === 'refused') return { outcome: 'refused', returned: parts.slice(0, index) };
    const isLast = index === parts.length - 1;
    const decide = (current: Basket) => recordReturned(current, refund.number, index + 1);
    const recorded = isLast ? undefined : await changeBasket(table, { orgId, basketId, decide });
    if (recorded?.outcome === 'refused') return 'taken_over';
  }
  return { outcome: 'refunded' };
}

const isOfNoOrder = ({ ticketIds, memberIds }: BasketRefund): boolean => ticketIds.length + memberIds.length === 0;

/**
 * Records that the provider refused, and announces it. The same transaction restores what the request changed. Charges that were returned
 * before another was refused are booked.
 */
async function recordRefusal(
  deps: CheckoutDeps,
  basketId: number,
  refund: BasketRefund,
  returned: readonly RefundedCharge[],
): Promise<void> {
  const { table, orgId, clock } = deps;
  let placed: OrderWithTickets | undefined;
  let changed: ChangedByRequest = { members: [], plans: [], endingTickets: [] };
  let context: OrderContext = { fan: undefined, event: undefined };
  const decide = async (current: Basket) => {
    // A payment that never became an order has no order to report.
    placed = isOfNoOrder(refund) ? undefined : await readOrderWithTickets(table, orgId, basketId);
    context = await readOrderContext(deps, placed?.order);
    if (placed !== undefined) changed = await readChangedByRequest(deps, placed, refund);
    return endRefund(current, refund.number, 'refused', returnedShares(changed, returned));
  };
  const announce = ({ refunds }: Basket): readonly TransactItem[] => {
    if (placed === undefined) return [];
    const { reason } = refunds.find((recorded) => recorded.number === refund.number) ?? refund;
    const refused = { ...refund, reason, state: 'refused' } as const;
    // The time of this attempt: the lists of entries and events are complete a few seconds later (`listHorizonMs`).
    const cause = { nowMs: clock.nowMs(), requestId: refund.requestId ?? deps.requestId };
    return [
      // The buyer may have been erased since the order was read. Then it is read again.
      orderCheck(table, orgId, placed.order),
      ...restoredItems(deps, changed, { placed, returned, cause }),
      ...outboxItems(table, orgId, orderRefunded(orgId, placed, refused, context), cause),
    ];
  };
  await retry(
    (error) => error instanceof SideEffectsRefused,
    () => changeBasket(table, { orgId, basketId, decide }, announce),
  );
}

/** Marks the refund as done in the transaction of the tickets, so they change exactly once. */
async function completeRefund(deps: CheckoutDeps, basketId: number, refund: BasketRefund): Promise<void> {
  const { table, orgId } = deps;
  const { number, ticketIds, memberIds, requestId } = refund;
  // The event belongs to the request that began the refund, whichever process completes it.
  const orderDeps = { ...deps, requestId: requestId ?? deps.requestId };
  await retryUntil(`The refund ${number} of the order ${basketId} could not be marked as done.`, async () => {
    const basket = await readBasket(table, orgId, basketId);
    const done = basket && endRefund(basket, number, 'done');
    if (basket === undefined || done?.outcome !== 'changed') return 'ended';
    const after = { ...done.basket, version: basket.version + 1 };
    // The buyer, and with it the reason, may have been erased since the refund was read.
    const current = basket.refunds.find((recorded) => recorded.number === number) ?? refund;
    const changed = isOfNoOrder(refund)
      ? undefined
      : await cancelOrRefundTickets(
          orderDeps,
          basketId,
          { tickets: ticketIds, members: memberIds, to: 'refunded' },
          { refund: current, callerItems: () => [basketPut(table, orgId, basket, after)] },
        );
    if (changed?.outcome === 'changed') return 'ended';
    // Nothing is left to change: the tickets are refunded already, or the refund has none.
    if (changed === undefined || changed.outcome === 'unchanged') {
      await changeBasket(table, { orgId, basketId, decide: (current) => endRefund(current, number, 'done') });
      return 'ended';
    }
    return undefined;
  });
}
