import { beforeAll, describe, expect, it } from 'vitest';
import { createPhase } from '../../../shared/catalogue/phases.ts';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { importOrder } from '../../../shared/data/admin/import-order.ts';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOrderByUuid, readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { TransactItem } from '../../../shared/data/table/transact.ts';
import type { NewOrder } from '../../../shared/domain/orders/order.ts';
import { orderWords } from '../../../shared/domain/orders/search.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { checkOut } from '../../../shared/sales/checkout/check-out.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { withAbsent } from '../../support/absent-items.ts';
import { addItem, chargesOf, checkoutDepsOf, givenOnSale, type TestCheckoutDeps } from '../../support/baskets.ts';
import { documentedSum } from '../../support/documented-items.ts';
import { tracedTable } from '../../support/faults/faulty-table.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_largest';
const names = (letter: string) => Array.from({ length: 20 }, (_, index) => `${letter}${index + 10}`).join(' ');
/** A buyer with as many search words as an order can have. */
const buyer = { firstName: names('a'), lastName: names('b'), emailAddress: 'c.d.e.f@g.h.i.example' };

let deps: TestCheckoutDeps;
let prices: readonly PriceRecord[];
let inputs: readonly object[];
beforeAll(async () => {
  const created = await createTestTable();
  const traced = tracedTable(created.table);
  inputs = traced.inputs;
  deps = checkoutDepsOf(traced.table, orgId);
  prices = await givenPrices(created.table, 36);
});

async function givenPrices(table: Table, count: number): Promise<PriceRecord[]> {
  const limited = { membershipTypeId: 7, maxPerMember: 40 };
  const { event, price } = await givenOnSale(table, orgId, limited);
  const { eventId } = event;
  const more: PriceRecord[] = [];
  for (let made = 1; made < count; made += 1) {
    more.push(await givenPrice(table, orgId, { eventId, categoryId: price.categoryId, ...limited }));
  }
  return [price, ...more];
}

/** The item count of the largest transaction sent during the work; DynamoDB allows 100. */
async function largestOf(work: () => Promise<unknown>): Promise<number> {
  const before = inputs.length;
  await work();
  const sizes = inputs
    .slice(before)
    .map((input) => ('TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems.length : 0));
  return Math.max(...sizes);
}

/** An imported order with this many tickets of this many prices. */
function importedOrder(tickets: number, of: number): Omit<NewOrder, 'orderId'> {
  const { orderId: _, ...placed } = anOrder({ ...buyer, eventId: prices[0]?.eventId ?? 0 });
  const priceIndex = (sortKey: number) => prices[sortKey % of]?.index ?? 0;
  return {
    ...placed,
    tickets: Array.from({ length: tickets }, (_, sortKey) => aTicket({ priceIndex: priceIndex(sortKey) })),
  };
}

describe('largest order', () => {
  it('the largest order is found by twenty words', () => {
    expect(orderWords(buyer).keys).toHaveLength(20);
  });

  it.each([
    [63, 7],
    [35, 35],
  ])(
    'the largest order, %i tickets of %i prices, is imported, cancelled, refunded and erased in one transaction each',
    async (tickets, of) => {
      for (const to of ['cancelled', 'refunded'] as const) {
        const order = importedOrder(tickets, of);
        const imported = await largestOf(() => importOrder(deps.table, orgId, order));
        const known = await readOrderByUuid(deps.table, orgId, order.orderUuid);
        const orderId = known?.orderId ?? 0;
        const ended = await largestOf(() => cancelOrRefundTickets(deps, orderId, { tickets: 'all', to }));
        const erased = await largestOf(() => eraseBuyer(deps.table, { orgId, orderId, nowUnix: deps.nowUnix }));
        expect({ imported, ended, erased }).toEqual({
          imported: documentedSum('import'),
          ended: documentedSum('cancel, or refund without a payment here'),
          erased: 22 + tickets,
        });
        expect((await readOrderWithTickets(deps.table, orgId, orderId))?.order).toMatchObject({
          status: to,
          firstName: null,
        });
      }
    },
  );

  it.each([
    [64, 1],
    [63, 8],
    [36, 35],
  ])('an imported order cannot have %i tickets of %i prices', async (tickets, of) => {
    expect(await importOrder(deps.table, orgId, importedOrder(tickets, of))).toMatchObject({ outcome: 'invalid' });
  });

  it('the largest basket, with limits per member and per person, is checked out and refunded in one transaction each', async () => {
    const given = { title: 'Everyone', maxPerPerson: 40, priceIndexes: null };
    await createPhase(deps.table, orgId, prices[0]?.eventId ?? 0, { given, sideEffects: () => [] });
    const { basketId } = await openBasket(deps.table, { orgId, nowUnix: deps.nowUnix });
    for (const price of prices.slice(0, 23)) await addItem(deps, basketId, price, price === prices[0] ? 18 : 1);
    const { memberId: membershipMemberId, ...member } = aMember({ typeId: 7, statusId: 1 });
    await givenMembers(deps.table, orgId, [{ ...member, memberId: membershipMemberId }]);
    const receipt: TransactItem = { Put: { TableName: deps.table.name, Item: { pk: 'receipt', sk: '#' } } };
    const bought = await largestOf(() =>
      checkOut(deps, { basketId, buyer, membershipMemberId, paymentMethod: 'pm_card_visa' }, () => [receipt]),
    );
    // Later, so that what is settled is counted in other buckets than the sale.
    deps.nowUnix += 40 * 86_400;
    const refunded = await largestOf(() => refundOrder(deps, { orderId: basketId, tickets: 'all' }));
    // The basket of an API key counts for no client address, and its event was not cancelled meanwhile.
    const absent = { clientAddress: 1, hintOfRefund: 1, requestOfRefund: 1 };
    expect({ bought: withAbsent(bought, absent), refunded }).toEqual({
      bought: documentedSum('checkout'),
      refunded: documentedSum('refund of a basket'),
    });
    const placed = await readOrderWithTickets(deps.table, orgId, basketId);
    expect(placed?.tickets.every(({ status }) => status === 3)).toBe(true);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 40 * 3_215 }]);
  });
});
