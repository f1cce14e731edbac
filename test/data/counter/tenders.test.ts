import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { basketItem } from '../../../shared/data/baskets/row.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { type Basket, basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { receivedKinds } from '../../../shared/domain/orders/tender.ts';
import { claimBasket } from '../../../shared/sales/checkout/claim.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  ada,
  addItem,
  chargesOf,
  checkOutWith,
  completedEvents,
  decideInSandbox,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  prepareWith,
  statusOf,
  ticketsOf,
} from '../../support/baskets.ts';
import { cash, givenCounterBasket, givenCounterSale, sellAtCounter } from '../../support/counter.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { expectEntries } from '../../support/journal.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const accounts = { cash: 'cash', terminal: 'terminal', bank_transfer: 'bank', other: 'other' } as const;

describe('a tender', () => {
  it.each(receivedKinds)('sells for %s as every sale does, and the journal says who took the money', async (kind) => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { placed } = await givenCounterSale(deps, price, { quantity: 2, tender: { ...cash, kind } });
    const { order } = placed;
    expect(order).toMatchObject({
      status: 'confirmed',
      paymentMethod: kind,
      totalMinor: 6_430,
      transactionFeeMinor: 0,
    });
    expect(await readOrderWithTickets(table, deps.orgId, order.orderId)).toEqual(placed);
    expect(await chargesOf(deps)).toEqual([]);
    expect(await ticketsOf(deps, price, [order.orderId])).toMatchObject({ available: 98, held: 0, sold: 2 });
    expect(await completedEvents(deps)).toMatchObject([{ data: { order: { payment_method: kind, total: 64.3 } } }]);
    const [entry] = await entriesOfOrder(table, deps.orgId, order.orderId);
    const { received: _, ...tender } = { ...cash, kind };
    expect(entry).toMatchObject({ kind: 'sale', money: { [accounts[kind]]: 6_430 }, tender });
    await expectEntries(deps, order.orderId, ['sale']);
  });

  it('costs what the basket costs: no fee of a card is added to cash', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price, 2);
    const card = await checkOutWith(deps, basketId);
    const { placed } = await givenCounterSale(deps, price, { quantity: 2 });
    const cardTotal = card.outcome === 'confirmed' ? card.placed.order.totalMinor : 0;
    expect(placed.order).toMatchObject({ totalMinor: cardTotal, transactionFeeMinor: 0 });
  });

  it('asks nothing of the payment provider', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenCounterBasket(deps, price);
    const asked = () => Promise.reject(new Error('The provider was asked.'));
    const offline = { ...deps, payments: { ...deps.payments, current: asked, byName: asked } };
    expect(await sellAtCounter(offline, basketId)).toMatchObject({ outcome: 'confirmed' });
  });

  it('is refused in an online basket, and nothing is written', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const basket = await givenBasket(deps, price);
    expect(await sellAtCounter(deps, basket.basketId)).toMatchObject({
      outcome: 'refused',
      refusal: { reason: 'tender_online' },
    });
    expect(await readBasket(table, deps.orgId, basket.basketId)).toEqual(basket);
  });

  it.each([64.29, 64.305])('is refused if %d was received for 64.30, and nothing is written', async (received) => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const basket = await givenCounterBasket(deps, price, 2);
    expect(await sellAtCounter(deps, basket.basketId, { ...cash, received })).toMatchObject({
      outcome: 'refused',
      refusal: { reason: 'received_too_little', totalMinor: 6_430 },
    });
    expect(await readBasket(table, deps.orgId, basket.basketId)).toEqual(basket);
    expect((await sellAtCounter(deps, basket.basketId, { ...cash, received: 64.3 })).outcome).toBe('confirmed');
  });

  it('is refused while the buyer can pay a prepared payment, and that payment stays', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenCounterBasket(deps, price);
    await prepareWith(deps, basketId);
    const prepared = await readBasket(table, deps.orgId, basketId);
    expect(await sellAtCounter(deps, basketId)).toMatchObject({ refusal: { reason: 'tender_with_payment' } });
    expect(await readBasket(table, deps.orgId, basketId)).toEqual(prepared);
    await decideInSandbox(deps, basketId, 'approve');
    expect(await checkOutWith(deps, basketId, { paymentMethod: null })).toMatchObject({ outcome: 'confirmed' });
  });

  it('replaces a payment with a card that waits for the buyer, whose charge is cancelled first', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenCounterBasket(deps, price);
    expect((await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_threeDSecure2Required' })).outcome).toBe(
      'action_required',
    );
    expect(await sellAtCounter(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    expect((await chargesOf(deps)).map(({ status }) => status)).not.toContain('paid');
  });

  it('is refused when the basket has expired, as a card is', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenCounterBasket(deps, price);
    deps.nowUnix += basketSeconds;
    expect(await sellAtCounter(deps, basketId)).toMatchObject({ refusal: { reason: 'expired' } });
  });
});

describe('a repeated tender', () => {
  it('gets the order of the first request', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { placed } = await givenCounterSale(deps, price);
    const { orderId } = placed.order;
    expect(await sellAtCounter(deps, orderId)).toMatchObject({ outcome: 'confirmed', placed });
    await expectEntries(deps, orderId, ['sale']);
  });

  it.each([
    { ...cash, kind: 'terminal' },
    { ...cash, operator: '8' },
    { ...cash, station: 'till 2' },
    { ...cash, reference: null },
    { ...cash, received: 1 },
  ] as const)('is refused if it says something else: %o', async (tender) => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { placed } = await givenCounterSale(deps, price);
    expect(await sellAtCounter(deps, placed.order.orderId, tender)).toMatchObject({
      refusal: { reason: 'checked_out' },
    });
  });
});

describe('the counter', () => {
  it('sells what has show_boxoffice, whatever is shown online', async () => {
    const deps = newCheckoutDeps(table);
    const { price: door } = await givenOnSale(table, deps.orgId, { showOnline: false, showBoxoffice: true });
    const { price: web } = await givenOnSale(table, deps.orgId, { showOnline: true, showBoxoffice: false });
    await givenCounterSale(deps, door);
    const { basketId } = await openBasket(table, { ...deps, channel: 'counter' });
    expect(await addItem(deps, basketId, web)).toMatchObject({
      refusal: { reason: 'not_on_sale', because: 'not_at_counter' },
    });
    const online = await openBasket(table, deps);
    expect(await addItem(deps, online.basketId, door)).toMatchObject({
      refusal: { reason: 'not_on_sale', because: 'not_sold_online' },
    });
    expect(await addItem(deps, online.basketId, web)).toMatchObject({ outcome: 'changed' });
  });
});

describe('a tender that is repeated after a crash', () => {
  it('is judged by what was received again: nobody is told a change below nothing', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenCounterBasket(deps, price);
    const command = { basketId, buyer: ada, paymentMethod: null, tender: cash };
    expect(await claimBasket(deps, command, 'checkout')).toMatchObject({ outcome: 'claimed' });
    deps.nowUnix += checkoutLeaseSeconds;
    expect(await sellAtCounter(deps, basketId, { ...cash, received: 1 })).toMatchObject({
      outcome: 'refused',
      refusal: { reason: 'checked_out' },
    });
    expect(await sellAtCounter(deps, basketId, { ...cash, received: 50 })).toMatchObject({ outcome: 'confirmed' });
    await expectEntries(deps, basketId, ['sale']);
  });
});

/** Whether the sale crashed. Whatever it left, a retry or the sweeper ends it, and every ticket is accounted for. */
async function sellWithCrash(at: number, when: 'before' | 'after'): Promise<boolean> {
  const deps = newCheckoutDeps(table);
  const { price } = await givenOnSale(table, deps.orgId, { capacity: 5 });
  const { basketId } = await givenCounterBasket(deps, price, 2);
  const crash = new CrashPoint(at, when);
  const answered = await crash.resultOf(sellAtCounter({ ...deps, table: crashingTable(table, crash) }, basketId));
  deps.nowUnix += checkoutLeaseSeconds;
  if (at % 2 === 0) expect(await sellAtCounter(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
  for (let run = 0; run < 2; run += 1) {
    deps.nowUnix += 3_600;
    await sweepBaskets(deps);
  }
  const isSold = (await readOrderWithTickets(table, deps.orgId, basketId)) !== undefined;
  const sold = isSold ? 2 : 0;
  const kinds = isSold ? ['sale'] : [];
  expect(await statusOf(deps, basketId)).toBe(isSold ? 'checked_out' : 'expired');
  expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 5 - sold, held: 0, sold });
  expect(await completedEvents(deps)).toHaveLength(kinds.length);
  await expectEntries(deps, basketId, kinds);
  return answered === undefined;
}

describe('a crash of a sale at the counter', () => {
  it.each(crashMoments)('%s each of its calls ends in one order and one entry, or in none', async (when) => {
    let at = 1;
    while (await sellWithCrash(at, when)) at += 1;
    expect(at).toBeGreaterThan(5);
  });

  it('is never given up: nobody would return the money, so it stays until its order can be written', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenCounterBasket(deps, price);
    for (let at = 1; (await statusOf(deps, basketId)) === 'open'; at += 1) {
      const crash = new CrashPoint(at, 'after');
      await crash.resultOf(sellAtCounter({ ...deps, table: crashingTable(table, crash) }, basketId));
    }
    const claimed = await readBasket(table, deps.orgId, basketId);
    if (claimed?.checkout == null) throw new Error('The basket is not being checked out.');
    // Without its customer the order cannot be written.
    const missing = { ...claimed, checkout: { ...claimed.checkout, buyer: null, erasedUserId: 1 } };
    const put = (basket: Basket) =>
      table.client.send(new PutCommand({ TableName: table.name, Item: basketItem(deps.orgId, basket) }));
    await put(missing);
    for (let hour = 0; hour < 3; hour += 1) {
      deps.nowUnix += 3_600;
      await sweepBaskets(deps);
    }
    const kept = await readBasket(table, deps.orgId, basketId);
    expect(kept).toMatchObject({ status: 'checking_out', checkout: { isPaid: true } });
    await put({ ...claimed, version: kept?.version ?? 0 });
    deps.nowUnix += 3_600;
    await sweepBaskets(deps);
    await expectEntries(deps, basketId, ['sale']);
  });
});
