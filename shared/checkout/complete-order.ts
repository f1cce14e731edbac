import { randomUUID } from 'node:crypto';
import { basketCheck, basketPut, readBasket } from '../data/baskets/baskets.ts';
import { holdMoves } from '../data/baskets/holds.ts';
import { findOrCreateCustomer } from '../data/customers/find-or-create.ts';
import { readCustomer } from '../data/customers/read.ts';
import { readEvent } from '../data/events/read.ts';
import { generateBarcode } from '../data/orders/generate-ids.ts';
import { readOrderWithTickets } from '../data/orders/read.ts';
import { writeOrder } from '../data/orders/write.ts';
import type { Basket, Checkout } from '../domain/baskets/basket.ts';
import { checkedOut } from '../domain/baskets/checkout.ts';
import { newOrderOf } from '../domain/baskets/order.ts';
import { type CustomerRecord, emptyCustomer } from '../domain/customers/customer.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { orderCompleted } from '../mappers/order-events.ts';
import { type Cause, outboxItems } from '../outbox/outbox.ts';
import { unixSeconds } from '../platform/clock.ts';
import { Fault } from '../platform/fault.ts';
import { customerOfFan } from './customer-of-fan.ts';
import type { CheckoutDeps, Confirmed, OrderSideEffects } from './deps.ts';

/** Only a request that completes the same basket can interfere, so a few attempts are enough. */
const maxAttempts = 5;

/**
 * Turns a paid basket into an order. It finds or creates the customer first, which is safe to repeat. Then one transaction
 * writes order, tickets, counters, basket, event and the side effects of the caller. The order has the id of the basket, so
 * that there can be only one: a second request gets the order of the first.
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
    const [customer, event] = await Promise.all([
      customerOf(deps, basket, checkout),
      basket.eventId === null ? undefined : readEvent(table, orgId, basket.eventId),
    ]);
    const confirmed = customer && (await recordOrder(deps, { basket, checkout, customer, event }, sideEffects));
    if (confirmed !== undefined) return confirmed;
  }
  throw new Fault(`The order of the basket ${basketId} could not be written.`);
}

/**
 * Returns the customer of the order. A new customer is only created if the basket has not changed since it was read: the
 * buyer may have been erased in between. Undefined if it has changed.
 */
async function customerOf(
  deps: CheckoutDeps,
  basket: Basket,
  { buyer, fan, erasedUserId }: Checkout,
): Promise<CustomerRecord | undefined> {
  const { table, orgId, clock } = deps;
  if (buyer !== null && fan !== null) return customerOfFan(deps, basket, { buyer, fan });
  if (buyer !== null) {
    return findOrCreateCustomer(table, orgId, buyer, {
      nowUnix: unixSeconds(clock),
      callerItems: () => [basketCheck(table, orgId, basket)],
      isAddressUnproven: false,
    });
  }
  const erased = erasedUserId === null ? undefined : await readCustomer(table, orgId, erasedUserId);
  if (erased === undefined) throw new Fault(`The erased customer of the basket ${basket.basketId} is missing.`);
  // The erasure of the customer itself may still be in progress.
  return { ...erased, ...emptyCustomer };
}

interface PaidBasket {
  readonly basket: Basket;
  readonly checkout: Checkout;
  readonly customer: CustomerRecord;
  readonly event: EventRecord | undefined;
}

/** Undefined when another request changed the basket in between. */
async function recordOrder(
  deps: CheckoutDeps,
  paid: PaidBasket,
  sideEffects: OrderSideEffects,
): Promise<Confirmed | undefined> {
  const { table, orgId, clock } = deps;
  const { basket, checkout, customer, event } = paid;
  const newIds = { orderUuid: randomUUID(), barcode: generateBarcode };
  const after = { ...checkedOut(basket, customer), version: basket.version + 1 };
  const result = await writeOrder(
    table,
    orgId,
    newOrderOf(basket, checkout, customer, { generated: newIds, nowUnix: unixSeconds(clock) }),
    {
      callerItems: () => [
        basketPut(table, orgId, basket, after),
        ...holdMoves(table, { orgId, before: basket, after }),
      ],
      sideEffects: (placed) => [
        ...outboxItems(table, orgId, orderCompleted(orgId, placed, event, customer), cause(deps, checkout)),
        ...sideEffects({ outcome: 'confirmed', placed, customer }),
      ],
    },
  );
  if (result.outcome === 'recorded') return { outcome: 'confirmed', placed: result.placed, customer };
  if (result.outcome === 'invalid')
    throw new Fault(`The order ${basket.basketId} cannot be recorded: ${result.problem}.`);
  return undefined;
}

/** The event belongs to the request that began the checkout, whichever process completes it. */
function cause({ clock, requestId }: CheckoutDeps, checkout: Checkout): Cause {
  return { nowMs: clock.nowMs(), requestId: checkout.requestId ?? requestId };
}

/** Reads the order of a checked-out basket. */
export async function readConfirmedOrder(
  { table, orgId }: CheckoutDeps,
  { basketId, customer }: Basket,
): Promise<Confirmed> {
  const placed = await readOrderWithTickets(table, orgId, basketId);
  if (placed === undefined || customer === null) throw new Fault(`The order of the basket ${basketId} is missing.`);
  return { outcome: 'confirmed', placed, customer };
}
