import { randomUUID } from 'node:crypto';
import { basketPut, readBasket } from '../data/baskets/baskets.ts';
import { findOrMakeCustomer } from '../data/customers/find-or-create.ts';
import { drawBarcode } from '../data/orders/new-ids.ts';
import { readSale } from '../data/orders/read.ts';
import { recordSale } from '../data/orders/write.ts';
import type { Basket, Checkout } from '../domain/baskets/basket.ts';
import { checkedOut } from '../domain/baskets/checkout.ts';
import { saleOf } from '../domain/baskets/order.ts';
import type { CustomerRecord } from '../domain/customers/customer.ts';
import { orderCompleted } from '../mappers/order-events.ts';
import { announce } from '../outbox/outbox.ts';
import { unixSeconds } from '../platform/clock.ts';
import { Fault } from '../platform/fault.ts';
import type { AlongOrder, Confirmed, Desk } from './deps.ts';

/** Who comes between can only be somebody who completes the same basket, so a few attempts are many. */
const mostAttempts = 5;

/**
 * Makes a paid basket an order. The customer is found or made first, which may be repeated; then order, tickets, counters, the
 * basket's end, the event and what goes along are written in one transaction. The order has the basket's id, so that there
 * can be only one: whoever comes second gets the first one's.
 */
export async function complete(desk: Desk, basketId: number, along: AlongOrder): Promise<Confirmed> {
  const { table, orgId } = desk;
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const basket = await readBasket(table, orgId, basketId);
    if (basket?.customer) return recordedOrder(desk, basket);
    const { checkout } = basket ?? {};
    if (basket === undefined || checkout?.isPaid !== true) throw new Fault(`The basket ${basketId} is not paid for.`);
    const nowUnix = unixSeconds(desk.clock);
    const customer = await findOrMakeCustomer(table, orgId, checkout.buyer, nowUnix);
    const confirmed = await recordOrder(desk, { basket, checkout, customer }, along);
    if (confirmed !== undefined) return confirmed;
  }
  throw new Fault(`The basket ${basketId} could not be made an order.`);
}

interface PaidBasket {
  readonly basket: Basket;
  readonly checkout: Checkout;
  readonly customer: CustomerRecord;
}

/** Undefined when somebody else was there in between. */
async function recordOrder(desk: Desk, paid: PaidBasket, along: AlongOrder): Promise<Confirmed | undefined> {
  const { table, orgId, clock } = desk;
  const { basket, checkout, customer } = paid;
  const drawn = { orderUuid: randomUUID(), barcode: drawBarcode };
  const after = { ...checkedOut(basket, customer), version: basket.version + 1 };
  const result = await recordSale(
    table,
    orgId,
    saleOf(basket, checkout, customer, { drawn, nowUnix: unixSeconds(clock) }),
    {
      beside: () => [basketPut(table, orgId, basket, after)],
      along: (sale) => [
        ...announce(table, orgId, orderCompleted(orgId, sale, customer), clock.nowMs()),
        ...along({ outcome: 'confirmed', sale, customer }),
      ],
    },
  );
  if (result.outcome === 'recorded') return { outcome: 'confirmed', sale: result.sale, customer };
  if (result.outcome === 'invalid')
    throw new Fault(`The order ${basket.basketId} cannot be recorded: ${result.problem}.`);
  return undefined;
}

/** The order that a basket has become. */
export async function recordedOrder({ table, orgId }: Desk, { basketId, customer }: Basket): Promise<Confirmed> {
  const sale = await readSale(table, orgId, basketId);
  if (sale === undefined || customer === null) throw new Fault(`The order of the basket ${basketId} is not there.`);
  return { outcome: 'confirmed', sale, customer };
}
