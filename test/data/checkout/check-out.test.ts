import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { saveEvent } from '../../../shared/data/events/save.ts';
import { readOrderByUuid, readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { basketKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { customersAt } from '../../../tools/fixtures/customers.ts';
import {
  ada,
  chargesOf,
  checkOutWith,
  completedEvents,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  noonUnix,
  paidCharges,
  statusOf,
  ticketsOf,
} from '../../support/baskets.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('checkout', () => {
  it('checkout creates one charge, one order, its tickets, the counters, the customer and the event', async () => {
    const deps = newCheckoutDeps(table);
    const { price, event } = await givenOnSale(table, deps.orgId, { ticketsIncluded: 2 });
    const { basketId } = await givenBasket(deps, price, 2);
    const result = await checkOutWith(deps, basketId);
    if (result.outcome !== 'confirmed') throw new Error(result.outcome);
    const { order, tickets } = result.placed;
    expect(order).toMatchObject({
      orderId: basketId,
      status: 'confirmed',
      totalMinor: 6_430,
      paymentMethod: 'card',
    });
    expect((await readBasket(table, deps.orgId, basketId))?.payment?.paymentMethod).toBe('pm_card_visa');
    expect(tickets.map(({ ticketId }) => ticketId)).toEqual([1, 2, 3, 4].map((sortKey) => basketId + sortKey));
    expect(new Set(tickets.map(({ barcode }) => barcode)).size).toBe(4);
    expect(tickets.map(({ ticketName }) => ticketName)).toEqual(['Ada Lovelace', null, null, null]);
    expect(await readOrderWithTickets(table, deps.orgId, basketId)).toEqual(result.placed);
    expect(await readOrderByUuid(table, deps.orgId, order.orderUuid.toUpperCase())).toMatchObject({
      orderId: basketId,
    });
    // The last digits name the order. The others have to match too.
    const guessed = `${order.orderUuid.startsWith('0') ? '1' : '0'}${order.orderUuid.slice(1)}`;
    expect(await readOrderByUuid(table, deps.orgId, guessed)).toBeUndefined();
    expect(await readOrderByUuid(table, 'org_other', order.orderUuid)).toBeUndefined();
    expect(await paidCharges(deps)).toMatchObject([{ amountMinor: 6_430 }]);
    expect(await ticketsOf(deps, price, [basketId])).toEqual({ available: 96, held: 0, sold: 4, capacity: 100 });
    const found = await customersAt(table, deps.orgId, 'ADA@example.com');
    expect(found).toMatchObject([{ userId: order.userId, firstName: 'Ada', lastName: 'Lovelace' }]);
    const [completed, ...others] = await completedEvents(deps);
    expect(others).toEqual([]);
    expect(completed?.data).toMatchObject({
      fan: { user_id: order.userId, email_address: ada.emailAddress },
      order: { order_id: basketId, total: 64.3, event_id: String(event.eventId), tickets: { length: 4 } },
    });
  });

  it('checkout leaves no personal data of the buyer in the basket', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const declined = await givenBasket(deps, price);
    await checkOutWith(deps, declined.basketId, { paymentMethod: 'pm_card_declined' });
    const paid = await givenBasket(deps, price);
    await checkOutWith(deps, paid.basketId);
    for (const { basketId } of [declined, paid]) {
      const { Item } = await table.client.send(
        new GetCommand({ TableName: table.name, Key: basketKey(deps.orgId, basketId), ConsistentRead: true }),
      );
      expect(JSON.stringify(Item)).not.toContain('ada@');
    }
  });

  it('a declined checkout leaves the basket open and its stock held, and another card works', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId, { capacity: 2 });
    const { basketId } = await givenBasket(deps, price, 2);
    for (let time = 0; time < 2; time += 1) {
      expect((await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_declined' })).outcome).toBe('declined');
      expect(await statusOf(deps, basketId)).toBe('open');
    }
    expect((await checkOutWith(deps, basketId, { paymentMethod: 'pm_made_up' })).outcome).toBe('method_unknown');
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 0, held: 2, sold: 0 });
    expect((await checkOutWith(deps, basketId)).outcome).toBe('confirmed');
    expect((await chargesOf(deps)).map(({ status }) => status).sort()).toEqual(['declined', 'declined', 'paid']);
    expect(await customersAt(table, deps.orgId, 'nobody@example.com')).toEqual([]);
  });

  it('one of many concurrent checkouts of a basket succeeds, and the others learn that it is in progress', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price);
    const results = await Promise.all(Array.from({ length: 8 }, () => checkOutWith(deps, basketId)));
    // A request that comes after the first has finished asks for the same purchase and gets the same order.
    const orders = results.flatMap((result) => (result.outcome === 'confirmed' ? [result.placed.order.orderUuid] : []));
    expect(new Set(orders).size).toBe(1);
    expect(results.filter(({ outcome }) => outcome === 'refused')).toHaveLength(8 - orders.length);
    expect(await paidCharges(deps)).toHaveLength(1);
    expect(await completedEvents(deps)).toHaveLength(1);
  });

  it('a repeated checkout returns the existing order, unless it asks for something else', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price);
    const first = await checkOutWith(deps, basketId);
    if (first.outcome !== 'confirmed') throw new Error(first.outcome);
    deps.nowUnix += basketSeconds;
    const { userId, orgCustomerId } = first.customer ?? {};
    expect(await checkOutWith(deps, basketId)).toEqual({ ...first, customer: { userId, orgCustomerId } });
    for (const other of [
      { paymentMethod: 'pm_card_late' },
      { paymentMethod: null },
      { buyer: { ...ada, emailAddress: 'grace@example.com' } },
      { buyer: { ...ada, firstName: 'A.' } },
      { buyer: { ...ada, lastName: 'Byron' } },
    ]) {
      expect(await checkOutWith(deps, basketId, other)).toMatchObject({ refusal: { reason: 'checked_out' } });
    }
    expect(await paidCharges(deps)).toHaveLength(1);
    expect(await completedEvents(deps)).toHaveLength(1);
  });

  it('a checkout with nothing to pay does not call the payment provider', async () => {
    const deps = newCheckoutDeps(table);
    const free = { priceMinor: 0, serviceFeeMinor: 0, serviceTaxMinor: 0 };
    const { price } = await givenOnSale(table, deps.orgId, free);
    const { basketId } = await givenBasket(deps, price);
    const result = await checkOutWith(deps, basketId, { paymentMethod: null });
    expect(result).toMatchObject({ outcome: 'confirmed', placed: { order: { totalMinor: 0, paymentMethod: null } } });
    expect(await chargesOf(deps)).toEqual([]);
  });

  it('concurrent checkouts with one email address create one customer, and never rename it', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const baskets = await Promise.all(Array.from({ length: 6 }, () => givenBasket(deps, price)));
    const results = await Promise.all(baskets.map(({ basketId }) => checkOutWith(deps, basketId)));
    expect(new Set(results.map((result) => 'placed' in result && result.placed.order.userId)).size).toBe(1);

    const known = { emailAddress: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', postcode: '3000' };
    await saveCustomer(table, deps.orgId, known, noonUnix);
    const { basketId } = await givenBasket(deps, price);
    const buyer = { emailAddress: 'Grace@Example.com', firstName: 'G.', lastName: 'Murray' };
    expect(await checkOutWith(deps, basketId, { buyer })).toMatchObject({
      placed: { order: { firstName: 'G.', lastName: 'Murray', postcode: '3000' } },
    });
    expect(await customersAt(table, deps.orgId, known.emailAddress)).toMatchObject([known]);
  });

  it.each([
    ['closed', { statusId: 3 }],
    ['deleted', { statusId: 2 }],
    ['over', { startUnix: noonUnix - 12 * 3_600 - 1 }],
  ] as const)(
    'a checkout for an event that is %s in the meantime is refused as event_not_on_sale before any charge',
    async (_, changes) => {
      const deps = newCheckoutDeps(table);
      const { price, event } = await givenOnSale(table, deps.orgId);
      const { basketId } = await givenBasket(deps, price);
      const { basketId: paidBefore } = await givenBasket(deps, price);
      const paid = await checkOutWith(deps, paidBefore);
      await saveEvent(table, deps.orgId, { ...event, ...changes });
      expect(await checkOutWith(deps, basketId)).toMatchObject({
        outcome: 'refused',
        refusal: { reason: 'event_not_on_sale', during: 'checkout' },
      });
      expect([await statusOf(deps, basketId), (await chargesOf(deps)).length]).toEqual(['open', 1]);
      await expect(givenBasket(deps, price)).rejects.toThrow('event_not_on_sale');
      // A repeated request still gets the order that was paid in time.
      expect(await checkOutWith(deps, paidBefore)).toMatchObject({ placed: 'placed' in paid && paid.placed });
    },
  );
});
