import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { savePool } from '../../../shared/data/prices/save-pool.ts';
import { savePrice } from '../../../shared/data/prices/save-price.ts';
import { maxTransactionItems, type TransactItem } from '../../../shared/data/table/transact.ts';
import { maxBasketStocks } from '../../../shared/domain/baskets/basket.ts';
import { addToBasket, cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { orderProblem } from '../../../shared/domain/orders/order.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { givenPool, givenPrice } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { withAbsent } from '../../support/absent-items.ts';
import { addItem, checkoutDepsOf, givenBasket, givenOnSale, type TestCheckoutDeps } from '../../support/baskets.ts';
import { documentedItems, documentedSum } from '../../support/documented-items.ts';
import { tracedTable } from '../../support/faults/faulty-table.ts';
import { rowsOf } from '../../support/fields-of.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_largest_basket';
const holder = { tokenId: 'token', address: 'visitor' };
let deps: TestCheckoutDeps;
let inputs: readonly object[];
let first: PriceRecord;
beforeAll(async () => {
  const created = await createTestTable();
  const traced = tracedTable(created.table);
  inputs = traced.inputs;
  deps = checkoutDepsOf(traced.table, orgId);
  ({ price: first } = await givenOnSale(traced.table, orgId));
});

/** The item count of the largest transaction that was sent during the work. */
async function largestOf(work: () => Promise<unknown>): Promise<number> {
  const before = inputs.length;
  await work();
  return Math.max(
    ...inputs.slice(before).map((input) => ('TransactItems' in input ? rowsOf(input.TransactItems).length : 0)),
  );
}

/** A price with a maximum of its own in a pool. Both have 40 tickets, five in each of eight slices. */
async function givenSpreadPrice(): Promise<PriceRecord> {
  const { table } = deps;
  const { eventId, categoryId } = first;
  const pool = await givenPool(table, orgId, { eventId, capacity: 800 });
  const poolIndex = pool.index;
  const price = await givenPrice(table, orgId, { eventId, categoryId, poolIndex, capacity: 800 });
  for (const capacity of [0, 40]) {
    const { index: _, stockSlices: __, stockVersion: ___, version: ____, ...poolFields } = pool;
    await savePool(table, orgId, { ...poolFields, capacity });
    await savePrice(table, orgId, { ...price, poolIndex, capacity, currency: 'AUD' });
  }
  return price;
}

it.each(documentedItems())(
  'docs/costs.md adds up the items of $name, which fit into a transaction',
  ({ terms, sum }) => {
    expect(terms.reduce((total, term) => total + term, 0)).toBe(sum);
    expect(sum).toBeLessThanOrEqual(maxTransactionItems);
  },
);

describe('the transactions of the largest baskets', () => {
  it('a hold takes from a price and its pool, from every slice of both', async () => {
    const price = await givenSpreadPrice();
    const { basketId } = await givenBasket(deps, first, 1, holder);
    const receipt: TransactItem = { Put: { TableName: deps.table.name, Item: { pk: 'receipt', sk: '#' } } };
    expect(price).toMatchObject({ stockSlices: 8 });
    const offer = await readOffer(deps.table, orgId, price.priceId);
    if (offer === undefined) throw new Error('There is no such price.');
    const held = await largestOf(() =>
      changeBasket(
        deps.table,
        { orgId, basketId, decide: (basket) => addToBasket(basket, offer, { quantity: 39 }, deps.nowUnix) },
        () => [receipt],
      ),
    );
    expect(held).toBe(documentedSum('hold'));
  });

  it('a release returns the tickets of every stock', async () => {
    const { basketId } = await givenBasket(deps, first, 1, holder);
    for (let stocks = 1; stocks < maxBasketStocks; stocks += 1) {
      const { eventId, categoryId } = first;
      await addItem(deps, basketId, await givenPrice(deps.table, orgId, { eventId, categoryId }));
    }
    const decide = (basket: Parameters<typeof cancelBasket>[0]) => cancelBasket(basket, deps.nowUnix);
    const released = await largestOf(() => changeBasket(deps.table, { orgId, basketId, decide }));
    // Only an abandoned checkout has tickets of members and persons to give back, and this basket has no code.
    const absent = { ticketsOfMembers: 1, ticketsOfPerson: 1, useOfCode: 1 };
    expect(withAbsent(released, absent)).toBe(documentedSum('release'));
  });

  it('an imported order counts every stock: a price with a maximum of its own in a pool has two', () => {
    const tickets = (count: number) =>
      Array.from({ length: count }, (_, nth) => aTicket({ priceIndex: nth + 1, poolIndex: 511 - nth }));
    expect(orderProblem(anOrder({ tickets: tickets(23) }))).toBeUndefined();
    expect(orderProblem(anOrder({ tickets: tickets(24) }))).toContain('different prices, pools and rows');
  });
});
