import { randomUUID } from 'node:crypto';
import { basketPut, readBasket } from '../data/baskets/baskets.ts';
import { findOrCreateCustomer } from '../data/customers/find-or-create.ts';
import { generateBarcode } from '../data/orders/generate-ids.ts';
import { readOrderWithTickets } from '../data/orders/read.ts';
import { writeOrder } from '../data/orders/write.ts';
import type { Basket, Checkout } from '../domain/baskets/basket.ts';
import { checkedOut } from '../domain/baskets/checkout.ts';
import { newOrderOf } from '../domain/baskets/order.ts';
import type { CustomerRecord } from '../domain/customers/customer.ts';
import { orderCompleted } from '../mappers/order-events.ts';
import { outboxItems } from '../outbox/outbox.ts';
import { unixSeconds } from '../platform/clock.ts';
import { Fault } from '../platform/fault.ts';
import type { CheckoutDeps, Confirmed, OrderSideEffects } from './deps.ts';

/** Who comes between can only be somebody who completes the same basket, so a few attempts are many. */
const maxAttempts = 5;

/**
 * Makes a paid basket an order. The customer is found or made first, which may be repeated; then order, tickets, counters, the
 * basket's end, the event and what goes along are written in one transaction. The order has the basket's id, so that there
 * can be only one: whoever comes second gets the first one's.
 */
export async function completeOrder(
  deps: CheckoutDeps,
  basketId: number,
  sideEffects: OrderSideEffects,
): Promise<Confirmed> {
  const { table, orgId } = deps;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const basket = await readBasket(table, orgId, basketId);
    if (basket?.customer) return readConfirmedOrder(deps, basket);
    const { checkout } = basket ?? {};
    if (basket === undefined || checkout?.isPaid !== true) throw new Fault(`The basket ${basketId} is not paid.`);
    const nowUnix = unixSeconds(deps.clock);
    const customer = await findOrCreateCustomer(table, orgId, checkout.buyer, nowUnix);
    const confirmed = await recordOrder(deps, { basket, checkout, customer }, sideEffects);
    if (confirmed !== undefined) return confirmed;
  }
  throw new Fault(`The order of the basket ${basketId} could not be written.`);
}

interface PaidBasket {
  readonly basket: Basket;
  readonly checkout: Checkout;
  readonly customer: CustomerRecord;
}

/** Undefined when somebody else was there in between. */
async function recordOrder(
  deps: CheckoutDeps,
  paid: PaidBasket,
  sideEffects: OrderSideEffects,
): Promise<Confirmed | undefined> {
  const { table, orgId, clock } = deps;
  const { basket, checkout, customer } = paid;
  const newIds = { orderUuid: randomUUID(), barcode: generateBarcode };
  const after = { ...checkedOut(basket, customer), version: basket.version + 1 };
  const result = await writeOrder(
    table,
    orgId,
    newOrderOf(basket, checkout, customer, { drawn: newIds, nowUnix: unixSeconds(clock) }),
    {
      callerItems: () => [basketPut(table, orgId, basket, after)],
      sideEffects: (placed) => [
        ...outboxItems(table, orgId, orderCompleted(orgId, placed, customer), clock.nowMs()),
        ...sideEffects({ outcome: 'confirmed', placed, customer }),
      ],
    },
  );
  if (result.outcome === 'recorded') return { outcome: 'confirmed', placed: result.placed, customer };
  if (result.outcome === 'invalid')
    throw new Fault(`The order ${basket.basketId} cannot be recorded: ${result.problem}.`);
  return undefined;
}

/** The order that a basket has become. */
export async function readConfirmedOrder(
  { table, orgId }: CheckoutDeps,
  { basketId, customer }: Basket,
): Promise<Confirmed> {
  const placed = await readOrderWithTickets(table, orgId, basketId);
  if (placed === undefined || customer === null) throw new Fault(`The order of the basket ${basketId} is missing.`);
  return { outcome: 'confirmed', placed, customer };
}
