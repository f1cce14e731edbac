import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket } from '../../../shared/data/baskets/baskets.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { savePool } from '../../../shared/data/prices/save-pool.ts';
import { savePrice } from '../../../shared/data/prices/save-price.ts';
import { maxTransactionItems, type TransactItem } from '../../../shared/data/table/transact.ts';
import { maxBasketStocks } from '../../../shared/domain/baskets/basket.ts';
import { addToBasket, cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { orderProblem } from '../../../shared/domain/orders/order.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPool, givenPrice } from '../../../tools/fixtures/events.ts';
import { category, givenConfig, membershipType, paymentOption } from '../../../tools/fixtures/membership.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import {
  addItem,
  checkOutWith,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { documentedItems, documentedSum } from '../../support/documented-items.ts';
import { tracedTable } from '../../support/faults/faulty-table.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { rowsOf } from '../../support/fields-of.ts';
import { addType, givenMembershipBasket } from '../../support/memberships.ts';
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
    // A cancelled basket has no tickets of members and persons to give back, as an abandoned checkout may have, and this one no code.
    expect((await largestOf(() => changeBasket(deps.table, { orgId, basketId, decide }))) + 3).toBe(
      documentedSum('release'),
    );
  });

  it('an imported order counts every stock: a price with a maximum of its own in a pool has two', () => {
    const tickets = (count: number) =>
      Array.from({ length: count }, (_, nth) => aTicket({ priceIndex: nth + 1, poolIndex: 511 - nth }));
    expect(orderProblem(anOrder({ tickets: tickets(23) }))).toBeUndefined();
    expect(orderProblem(anOrder({ tickets: tickets(24) }))).toContain('different prices, pools and rows');
  });
});

describe('the transactions of the largest basket with memberships', () => {
  it('checkout and refund of 10 tickets from 14 stocks and of four memberships fit, each of another type', async () => {
    const { table } = deps;
    await givenOrganisation(table, orgId);
    const { eventId, categoryId } = first;
    const types = [
      await givenCapacityType(1),
      await givenCapacityType(2),
      await givenCapacityType(3),
      await givenCapacityType(4),
    ];
    const basketId = await givenMembershipBasket(deps, types[0] ?? missing());
    for (const type of types.slice(1)) await addType(deps, basketId, type);
    for (let n = 0; n < 10; n += 1) {
      const price = await givenPrice(table, orgId, { eventId, categoryId, code: `largest-${n}` });
      expect(await addItem(deps, basketId, price)).toMatchObject({ outcome: 'changed' });
    }
    const checkedOut = await largestOf(async () =>
      expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' }),
    );
    const refunded = await largestOf(async () =>
      expect(await refundOrder(deps, { orderId: basketId, tickets: 'all', members: 'all' })).toMatchObject({
        outcome: 'recorded',
      }),
    );
    expect(checkedOut).toBeLessThanOrEqual(documentedSum('checkout with memberships') ?? 0);
    expect(refunded).toBeLessThanOrEqual(documentedSum('refund with memberships') ?? 0);
    // Most of what the document adds up: a buyer with few names has few words.
    expect([checkedOut, refunded].every((items) => items > 50)).toBe(true);
  });
});

describe('the largest order of memberships in instalments that renew themselves', () => {
  const words = (letter: string) => Array.from({ length: 20 }, (_, index) => `${letter}${index + 10}`).join(' ');
  const buyer = { firstName: words('a'), lastName: words('b'), emailAddress: 'c.d.e.f@g.h.i.example' };
  const agreed = { payment: { optionId: 'renewing', hasConsent: true, consentText: 'Charge my card.' } };

  /** Four memberships, each with a plan and an auto-renewal of its own, and tickets. */
  async function givenFour(types: readonly TypeRecord[], tickets: number): Promise<number> {
    const { table } = deps;
    const { eventId, categoryId } = first;
    await givenConfig(table, orgId, paymentOption('renewing', { numberOfInstalments: 6, autoRenewal: 1 }));
    const basketId = await givenMembershipBasket(deps, types[0] ?? missing());
    for (const type of types.slice(1)) await addType(deps, basketId, type);
    for (let n = 0; n < tickets; n += 1) {
      const price = await givenPrice(table, orgId, { eventId, categoryId });
      expect(await addItem(deps, basketId, price)).toMatchObject({ outcome: 'changed' });
    }
    return basketId;
  }

  it.each([
    ['four types', 1],
    ['one type', 7],
  ])('of %s fits with %i tickets, also its refund, and is not offered with more', async (of, tickets) => {
    await givenOrganisation(deps.table, orgId);
    const numbers = of === 'one type' ? [1, 1, 1, 1] : [1, 2, 3, 4];
    const types = await Promise.all(numbers.map((n) => givenCapacityType(n, 11 + n)));
    const tooLarge = await givenFour(types, tickets + 1);
    expect(await checkOutWith(deps, tooLarge, { buyer, ...agreed })).toMatchObject({
      refusal: { reason: 'payment_option_not_offered' },
    });
    const basketId = await givenFour(types, tickets);
    const checkedOut = await largestOf(async () =>
      expect(await checkOutWith(deps, basketId, { buyer, ...agreed })).toMatchObject({ outcome: 'confirmed' }),
    );
    // The basket of an API key has no client address and no receipt here, its event was not cancelled, and no price has a limit.
    // Terms of one type end with one hint.
    expect(checkedOut + 6).toBe(of === 'one type' ? 97 : 100);
    const refund = { orderId: basketId, tickets: 'all', members: 'all' } as const;
    const refunded = await largestOf(async () =>
      expect(await refundOrder(deps, refund)).toMatchObject({ outcome: 'recorded' }),
    );
    expect(refunded).toBeLessThanOrEqual(documentedSum('refund with memberships') ?? 0);
    const placed = await readOrderWithTickets(deps.table, orgId, basketId);
    expect(placed?.memberships.map(({ status }) => status)).toEqual([3, 3, 3, 3]);
  });
});

const missing = (): never => {
  throw new Error('There is no type.');
};

/** A type in a category of its own. */
async function givenCapacityType(n: number, termMonths = 12) {
  const own = category(orgId, `category-${n}`);
  const type = membershipType(orgId, `type-${n}`, {
    ...{ categoryId: own.categoryId, currency: 'AUD', termMonths, capacity: 20 },
  });
  await givenConfig(deps.table, orgId, own, type);
  return type;
}
