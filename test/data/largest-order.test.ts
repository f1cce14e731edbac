import { beforeAll, describe, expect, it } from 'vitest';
import { checkOut } from '../../shared/checkout/check-out.ts';
import { endTickets } from '../../shared/checkout/end-tickets.ts';
import { refundOrder } from '../../shared/checkout/refund.ts';
import { eraseBuyer } from '../../shared/data/admin/erase-buyer.ts';
import { importOrder } from '../../shared/data/admin/import-order.ts';
import { openBasket } from '../../shared/data/baskets/baskets.ts';
import { readOrderByUuid, readSale } from '../../shared/data/orders/read.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { TransactItem } from '../../shared/data/table/transact.ts';
import type { Sale } from '../../shared/domain/orders/order.ts';
import { orderWords } from '../../shared/domain/orders/search.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { addItem, chargesOf, deskOf, givenOnSale, type TestDesk } from '../support/baskets.ts';
import { givenPrice } from '../support/events.ts';
import { tracedTable } from '../support/faults.ts';
import { aSale, aTicket } from '../support/sales.ts';
import { createTestTable } from '../support/table.ts';

const orgId = 'org_largest';
const names = (letter: string) => Array.from({ length: 20 }, (_, index) => `${letter}${index + 10}`).join(' ');
/** Found by as many words as an order can be. */
const buyer = { firstName: names('a'), lastName: names('b'), emailAddress: 'c.d.e.f@g.h.i.example' };

let desk: TestDesk;
let prices: readonly PriceRecord[];
let inputs: readonly object[];
beforeAll(async () => {
  const created = await createTestTable();
  const traced = tracedTable(created.table);
  inputs = traced.inputs;
  desk = deskOf(traced.table, orgId);
  prices = await givenPrices(created.table, 36);
});

async function givenPrices(table: Table, count: number): Promise<PriceRecord[]> {
  const { event, price } = await givenOnSale(table, orgId);
  const { eventId } = event;
  const more: PriceRecord[] = [];
  for (let made = 1; made < count; made += 1) {
    more.push(await givenPrice(table, orgId, { eventId, categoryId: price.categoryId }));
  }
  return [price, ...more];
}

/** How many items, of the 100 that DynamoDB takes, the largest transaction had that was sent meanwhile. */
async function largestOf(work: () => Promise<unknown>): Promise<number> {
  const before = inputs.length;
  await work();
  const sizes = inputs
    .slice(before)
    .map((input) => ('TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems.length : 0));
  return Math.max(...sizes);
}

/** An order of the past with so many tickets, of so many prices. */
function past(tickets: number, of: number): Omit<Sale, 'orderId'> {
  const { orderId: _, ...sale } = aSale({ ...buyer, eventId: prices[0]?.eventId ?? 0 });
  const priceIndex = (place: number) => prices[place % of]?.index ?? 0;
  return {
    ...sale,
    tickets: Array.from({ length: tickets }, (_, place) => aTicket({ priceIndex: priceIndex(place) })),
  };
}

describe('the largest order', () => {
  it('is found by twenty words', () => {
    expect(orderWords(buyer)).toHaveLength(20);
  });

  it.each([
    [63, 9],
    [36, 36],
  ])(
    'of %i tickets and %i prices is imported, cancelled, refunded and erased in a transaction each',
    async (tickets, of) => {
      for (const to of ['cancelled', 'refunded'] as const) {
        const order = past(tickets, of);
        const imported = await largestOf(() => importOrder(desk.table, orgId, order));
        const known = await readOrderByUuid(desk.table, orgId, order.orderUuid);
        const orderId = known?.orderId ?? 0;
        const ended = await largestOf(() => endTickets(desk, orderId, { tickets: 'all', to }));
        const erased = await largestOf(() => eraseBuyer(desk.table, orgId, orderId));
        expect({ imported, ended, erased }).toEqual({ imported: 99, ended: 99, erased: 21 + tickets });
        expect((await readSale(desk.table, orgId, orderId))?.order).toMatchObject({ status: to, firstName: null });
      }
    },
  );

  it.each([
    [64, 1],
    [63, 10],
    [37, 36],
  ])('has not %i tickets of %i prices', async (tickets, of) => {
    expect(await importOrder(desk.table, orgId, past(tickets, of))).toMatchObject({ outcome: 'invalid' });
  });

  it('of a basket is bought, and its money and tickets go back, in a transaction each', async () => {
    const { basketId } = await openBasket(desk.table, orgId, desk.nowUnix);
    for (const price of prices.slice(0, 30)) await addItem(desk, basketId, price, price === prices[0] ? 11 : 1);
    const receipt: TransactItem = { Put: { TableName: desk.table.name, Item: { pk: 'receipt', sk: '#' } } };
    const bought = await largestOf(() =>
      checkOut(desk, { basketId, buyer, paymentMethod: 'pm_card_visa' }, () => [receipt]),
    );
    const refunded = await largestOf(() => refundOrder(desk, { orderId: basketId, tickets: 'all' }));
    expect({ bought, refunded }).toEqual({ bought: 71, refunded: 98 });
    const sale = await readSale(desk.table, orgId, basketId);
    expect(sale?.tickets.every(({ status }) => status === 3)).toBe(true);
    expect(await chargesOf(desk)).toMatchObject([{ refundedMinor: 40 * 3_215 }]);
  });
});
