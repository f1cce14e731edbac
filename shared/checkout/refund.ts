import { basketPut, changeBasket, readBasket } from '../data/baskets/baskets.ts';
import { readOrderWithTickets } from '../data/orders/read.ts';
import { type Basket, type BasketPayment, type BasketRefund, refundKey } from '../domain/baskets/basket.ts';
import { beginRefund, endRefund, pendingRefund, planRefund, type RefundPlan } from '../domain/baskets/refunds.ts';
import { type OrderWithTickets, unknownTickets } from '../domain/orders/order.ts';
import { orderRefunded } from '../mappers/order-events.ts';
import { outboxItems } from '../outbox/outbox.ts';
import { callProvider } from '../payments/payments.ts';
import type { Refunded } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import { Fault } from '../platform/fault.ts';
import { cancelOrRefundTickets, readOrderContext } from './cancel-or-refund-tickets.ts';
import type { CheckoutDeps } from './deps.ts';

export type RefundedOrder =
  | ({ readonly outcome: 'refunded'; readonly currency: string } & RefundPlan)
  /** `unchanged`: every ticket was already refunded. */
  | { readonly outcome: 'unchanged' | 'missing' }
  | { readonly outcome: 'unknown_tickets'; readonly ticketIds: readonly number[] }
  /** The provider refused the refund. Nothing was changed. */
  | { readonly outcome: 'provider_refused'; readonly message: string }
  /** The provider has not responded. The sweeper repeats the call until it does, and then changes the tickets. */
  | { readonly outcome: 'pending' }
  /** Another refund of the order is pending and does not include all requested tickets. Nothing was recorded. */
  | { readonly outcome: 'other_pending' };

export interface RefundCommand {
  readonly orderId: number;
  readonly tickets: 'all' | readonly number[];
}

/** A concurrent refund of the same order finishes first; then this one tries again. */
const maxAttempts = 20;

/**
 * Refunds an order or some of its tickets. The refund is recorded first, then the provider refunds the money, then one
 * transaction changes tickets, order, counters and stock and announces the event. After a crash in between, the sweeper or a
 * repeated request completes the refund, and the provider recognises the repeat. An order without a payment refunds no money.
 */
export async function refundOrder(deps: CheckoutDeps, command: RefundCommand): Promise<RefundedOrder> {
  const { table, orgId } = deps;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const placed = await readOrderWithTickets(table, orgId, command.orderId);
    if (placed === undefined) return { outcome: 'missing' };
    const ticketIds = unknownTickets(placed, command);
    if (ticketIds.length > 0) return { outcome: 'unknown_tickets', ticketIds };
    const basket = await readBasket(table, orgId, command.orderId);
    if (!basket?.payment) return refundWithoutPayment(deps, command);
    const refunded = await refundPaid(deps, { basket, placed }, command);
    if (refunded !== undefined) return refunded;
  }
  throw new Fault('Too many concurrent refunds of this order. Nothing was changed. Try again.');
}

/** Undefined when a concurrent refund was first: then the caller reads everything again. */
async function refundPaid(
  deps: CheckoutDeps,
  { basket, placed }: { readonly basket: Basket; readonly placed: OrderWithTickets },
  { tickets }: RefundCommand,
): Promise<RefundedOrder | undefined> {
  const plan = planRefund(basket, placed, tickets);
  const other = pendingRefund(basket);
  if (other !== undefined) {
    const { outcome } = await executeRefund(deps, basket, other);
    return outcome === 'pending' ? outcomeWhilePending(other, plan) : undefined;
  }
  if (plan.ticketIds.length === 0) return { outcome: 'unchanged' };
  const nowUnix = unixSeconds(deps.clock);
  const started = await changeBasket(deps.table, {
    orgId: deps.orgId,
    basketId: basket.basketId,
    // The plan is valid only for the version of the basket that it was made from.
    decide: (current) =>
      current.version === basket.version
        ? beginRefund(current, plan, { nowUnix, reason: null, requestId: deps.requestId ?? null })
        : { outcome: 'unchanged', basket: current },
    recheckTimes: () => [nowUnix + graceSeconds],
  });
  const recorded = started.outcome === 'changed' ? pendingRefund(started.basket) : undefined;
  return started.outcome === 'changed' && recorded !== undefined
    ? executeRefund(deps, started.basket, recorded)
    : undefined;
}

/** Only one refund is pending at a time. A request for the tickets of the pending one is pending too; any other is refused. */
function outcomeWhilePending(other: BasketRefund, { ticketIds }: RefundPlan): RefundedOrder {
  if (ticketIds.length === 0) return { outcome: 'unchanged' };
  return { outcome: ticketIds.every((id) => other.ticketIds.includes(id)) ? 'pending' : 'other_pending' };
}

/** The request that began a refund has this long before the sweeper takes over. */
const graceSeconds = 60;

async function refundWithoutPayment(deps: CheckoutDeps, { orderId, tickets }: RefundCommand): Promise<RefundedOrder> {
  const changed = await cancelOrRefundTickets(deps, orderId, { tickets, to: 'refunded' });
  if (changed.outcome === 'refused') throw new Fault(`The stock of the order ${orderId} is missing.`);
  if (changed.outcome !== 'changed') return changed;
  const { after, changed: ended } = changed.change;
  return {
    outcome: 'refunded',
    amountMinor: 0,
    currency: after.order.currency,
    ticketIds: ended.map(({ ticketId }) => ticketId),
  };
}

/** Executes a recorded refund, from any step at which it was interrupted. */
export async function executeRefund(deps: CheckoutDeps, basket: Basket, refund: BasketRefund): Promise<RefundedOrder> {
  const { basketId, payment } = basket;
  const { ticketIds, amountMinor } = refund;
  if (payment === null) throw new Fault(`The basket ${basketId} has a refund without a payment.`);
  const refunded =
    amountMinor === 0 ? ({ outcome: 'refunded' } as const) : await refundCharge(deps, basket, payment, refund);
  if (refunded === 'unknown') return { outcome: 'pending' };
  if (refunded.outcome === 'refused') {
    await recordRefusal(deps, basketId, refund);
    return { outcome: 'provider_refused', message: refunded.message };
  }
  await completeRefund(deps, basketId, refund);
  return { outcome: 'refunded', amountMinor, currency: payment.currency, ticketIds };
}

async function refundCharge(
  { orgId, payments }: CheckoutDeps,
  basket: Basket,
  { provider: name, chargeId, account, currency }: BasketPayment,
  { number, amountMinor }: BasketRefund,
): Promise<Refunded | 'unknown'> {
  const provider = await payments.byName(name);
  const charge = { orgId, account, chargeId, key: String(basket.basketId) };
  const refund = { key: refundKey(basket, number), amountMinor, currency };
  return callProvider(provider, payments.timeoutMs, (api, signal) => api.refund(charge, refund, signal));
}

/** Records that the provider refused, and announces it in the same transaction. */
async function recordRefusal(deps: CheckoutDeps, basketId: number, refund: BasketRefund): Promise<void> {
  const { table, orgId, clock } = deps;
  // A payment that never became an order has no order to report.
  const placed = refund.ticketIds.length === 0 ? undefined : await readOrderWithTickets(table, orgId, basketId);
  const context = await readOrderContext(deps, placed?.order);
  const cause = { nowMs: clock.nowMs(), requestId: refund.requestId ?? deps.requestId };
  await changeBasket(
    table,
    { orgId, basketId, decide: (current) => endRefund(current, refund.number, 'refused') },
    ({ refunds }) => {
      if (placed === undefined) return [];
      const { reason } = refunds.find((recorded) => recorded.number === refund.number) ?? refund;
      const refused = { ...refund, reason, state: 'refused' } as const;
      return outboxItems(table, orgId, orderRefunded(orgId, placed, refused, context), cause);
    },
  );
}

/** Marks the refund as done in the transaction of the tickets, so that they change exactly once. */
async function completeRefund(deps: CheckoutDeps, basketId: number, refund: BasketRefund): Promise<void> {
  const { table, orgId } = deps;
  const { number, ticketIds, requestId } = refund;
  // The event belongs to the request that began the refund, whichever process completes it.
  const orderDeps = { ...deps, requestId: requestId ?? deps.requestId };
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const basket = await readBasket(table, orgId, basketId);
    const done = basket && endRefund(basket, number, 'done');
    if (basket === undefined || done?.outcome !== 'changed') return;
    const after = { ...done.basket, version: basket.version + 1 };
    // The buyer, and with it the reason, may have been erased since the refund was read.
    const current = basket.refunds.find((recorded) => recorded.number === number) ?? refund;
    const changed =
      ticketIds.length === 0
        ? undefined
        : await cancelOrRefundTickets(
            orderDeps,
            basketId,
            { tickets: ticketIds, to: 'refunded' },
            { refund: current, callerItems: () => [basketPut(table, orgId, basket, after)] },
          );
    if (changed?.outcome === 'changed') return;
    // Nothing is left to change: the tickets are refunded already, or the refund has none.
    if (changed === undefined || changed.outcome === 'unchanged') {
      await changeBasket(table, { orgId, basketId, decide: (current) => endRefund(current, number, 'done') });
      return;
    }
  }
  throw new Fault(`The refund ${number} of the order ${basketId} could not be marked as done.`);
}
