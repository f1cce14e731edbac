import '../../support/streaming-runtime.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as list } from '../../../functions/api/orders/list-orders.ts';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { runMigration } from '../../../shared/data/admin/migrations/run.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { type AllOrdersListing, listAllOrders } from '../../../shared/data/orders/list-all.ts';
import { orderWordItems } from '../../../shared/data/orders/row.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { type NewOrder, noEventId, type OrderRecord, orderSortKey } from '../../../shared/domain/orders/order.ts';
import { listOrders } from '../../../shared/operations/orders/list-orders.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { anOrder, orderWords, someSpan } from '../../../tools/fixtures/orders.ts';
import { remove } from '../../support/audit.ts';
import { callHandler } from '../../support/call-handler.ts';
import { modelFinds } from '../../support/search-model.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const everything = { userId: undefined, emailAddress: undefined, status: undefined, range: {}, page: 1, limit: 20 };

/** What an order without an event sells. */
const membershipsAlone = {
  eventId: noEventId,
  tickets: [],
  memberships: [
    {
      memberId: 1,
      memberNumber: '1',
      barcode: null,
      typeId: 1,
      typeTitle: 'Adult',
      firstName: null,
      lastName: null,
      expiresUnix: null,
      termId: 1,
      lineId: 1,
      ownStock: false,
      status: 1 as const,
      faceMinor: 0,
      rebateMinor: 0,
      serviceFeeMinor: 0,
      serviceTaxMinor: 0,
      discountMinor: 0,
      taxMinor: 0,
    },
  ],
};
const soldFor = (eventId: number): Partial<NewOrder> => (eventId === noEventId ? membershipsAlone : { eventId });

/** The rules of the list once more, written in the simplest way. */
function model(orders: readonly OrderRecord[], listing: Partial<AllOrdersListing>): number[] {
  const { userId, emailAddress, status, range = {}, search = '' } = listing;
  return orders
    .filter((order) => userId === undefined || order.userId === userId)
    .filter((order) => emailAddress === undefined || order.emailAddress === emailAddress.toLowerCase())
    .filter((order) => status === undefined || order.status === status)
    .filter(({ placedUnix }) => placedUnix > (range.after ?? 0) && placedUnix < (range.before ?? Number.MAX_VALUE))
    .filter(({ orderId, orderUuid, firstName, lastName, emailAddress: known }) =>
      modelFinds({ texts: [firstName, lastName], emails: [known], ids: [String(orderId), orderUuid] }, search),
    )
    .toSorted((one, other) => (orderSortKey(one) < orderSortKey(other) ? 1 : -1))
    .map(({ orderId }) => orderId);
}

describe('list-orders with a search', () => {
  const orgId = 'org_search';
  const orders = new Map<number, OrderRecord>();
  const names = ['Anna', 'ÅNNA', "O'Brien", 'van der Berg', 'Zoë Müller', 'Mueller', '李小龍', null, 'Anna Maria'];
  const mailboxes = ['anna@example.com', 'zoe.mueller@example.org', 'o.brien@club.example', null];
  const statuses = ['confirmed', 'confirmed', 'refunded', 'cancelled', 'pending'] as const;

  beforeAll(async () => {
    const events = [noEventId];
    for (let index = 0; index < 4; index += 1) events.push((await givenEvent(table, orgId)).eventId);
    for (let index = 0; index < 120; index += 1) {
      const pick = <T>(from: readonly T[], step: number): T | null => from[(index * step) % from.length] ?? null;
      const written = await writeOrder(
        table,
        orgId,
        anOrder({
          ...soldFor(pick(events, 1) ?? noEventId),
          placedUnix: someSpan + ((index * 37) % 60),
          status: pick(statuses, 1) ?? 'confirmed',
          // The names on an order need not be those of its customer, and some orders have no customer.
          userId: pick([1, 2, null], 1),
          firstName: pick(names, 2),
          lastName: pick(names, 5),
          emailAddress: pick(mailboxes, 3),
        }),
      );
      if (written.outcome !== 'recorded') throw new Error(written.outcome);
      orders.set(written.placed.order.orderId, written.placed.order);
      if (index === 80) await applyPositionChanges(table, { orgId, resource: 'orders' });
    }
    const elsewhere = anOrder({ firstName: 'Anna', emailAddress: 'anna@example.com' });
    await writeOrder(table, 'org_search_other', elsewhere);
  });

  const word = fc.constantFrom(
    ...[
      'a',
      'ann',
      'ANNA',
      'berg',
      'brien',
      "o'b",
      'müll',
      'com',
      'example',
      'zoe',
      'mueller',
      '@example.org',
      '李',
      '小龍',
      'x',
    ],
  );
  const someId = fc
    .nat()
    .map((nth) => [...orders.values()][nth % orders.size])
    .chain((order) => fc.constantFrom(String(order?.orderId), order?.orderUuid.toUpperCase() ?? ''));
  const text = fc.oneof(
    { weight: 4, arbitrary: word },
    fc.tuple(word, word).map((words) => words.join(' ')),
    someId,
    fc.tuple(word, someId).map((words) => words.join('  ')),
  );
  /** Mostly none, so that most combinations leave some orders. */
  const optional = <const T>(...values: readonly T[]) =>
    fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });
  const query = fc.record({
    search: text,
    userId: optional(1, 2),
    emailAddress: optional('Anna@example.com', 'o.brien@club.example'),
    status: optional('confirmed', 'refunded', 'cancelled', 'pending'),
    range: fc.record({ after: optional(someSpan - 1, someSpan + 10), before: optional(someSpan + 30, someSpan + 59) }),
    limit: fc.integer({ min: 1, max: 60 }),
  });

  async function comparePages(wanted: Partial<AllOrdersListing> & { readonly limit: number }): Promise<void> {
    const { limit } = wanted;
    const expected = model([...orders.values()], { ...wanted, search: wanted.search?.toLowerCase() });
    for (let page = Math.ceil(expected.length / limit) + 1; page > 0; page -= 1) {
      const found = await listAllOrders(table, { ...everything, orgId, ...wanted, page });
      expect(found.orders.map(({ order }) => order.orderId)).toEqual(expected.slice((page - 1) * limit, page * limit));
      expect(found.hasMore).toBe(expected.length > page * limit);
    }
  }

  it('list-orders with a search returns what the model returns, with every combination of filters, on every page', async () => {
    await fc.assert(fc.asyncProperty(query, comparePages), { numRuns: amount(30, 150) });
  });

  it('list-orders with a search returns what the model returns while orders are refunded and buyers erased', async () => {
    const ids = [...orders.keys()];
    for (const [round, orderId] of ids.filter((_, index) => index % 23 === 3).entries()) {
      const before = orders.get(orderId);
      if (before === undefined) throw new Error('The order is missing.');
      if (round % 2 === 0) {
        await eraseBuyer(table, { orgId, orderId, nowUnix: someSpan });
        orders.set(orderId, { ...before, firstName: null, lastName: null, emailAddress: null });
      } else {
        const changed = await changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'refunded' });
        if (changed.outcome === 'changed') orders.set(orderId, changed.change.after.order);
      }
      for (const search of ['anna', 'example', String(orderId)]) await comparePages({ search, limit: 40 });
      await comparePages({ search: 'brien', status: 'refunded', limit: 3 });
    }
  });

  it('list-orders finds no word of an erased buyer, of an order with an event and of one without', async () => {
    const own = 'org_search_erased';
    const { eventId } = await givenEvent(table, own);
    for (const of of [eventId, noEventId]) {
      const placed = anOrder({ ...soldFor(of), firstName: 'Grace' });
      await writeOrder(table, own, placed);
      expect(await orderWords(table, own, of)).not.toEqual([]);
      await eraseBuyer(table, { orgId: own, orderId: placed.orderId, nowUnix: someSpan });
      expect(await orderWords(table, own, of)).toEqual([]);
    }
  });

  it('list-orders finds orders by what they show, for the organisation of the key', async () => {
    const own = 'org_search_shown';
    const { eventId } = await givenEvent(table, own, { title: 'Match' });
    const placed = anOrder({ eventId, firstName: 'Bob', lastName: 'Ngô', emailAddress: 'family@example.com' });
    await writeOrder(table, own, placed);
    const call = (query: Record<string, unknown>, caller = own) =>
      callHandler(listOrders, list, { query }, { table, orgId: caller });
    for (const search of ['bob', 'NGO B', 'family@ex', String(placed.orderId), placed.orderUuid]) {
      expect(await call({ search }), search).toMatchObject({
        data: [{ order_id: placed.orderId, event_title: 'Match', tickets: [{}] }],
        has_more: false,
      });
      expect(await call({ search }, 'org_search_other'), search).toMatchObject({ data: [], has_more: false });
    }
    expect(await call({ search: ' ' })).toMatchObject({ data: [{}] });
    expect(await call({ search: 'ob' })).toMatchObject({ data: [] });
    const [{ barcode } = { barcode: '' }] = placed.tickets;
    expect(await call({ search: 'bob', barcode })).toMatchObject({ data: [{}] });
    expect(await call({ search: 'eve', barcode })).toMatchObject({ data: [] });
  });
});

describe('orders without an event that an earlier release has written', () => {
  const search = (orgId: string) => listAllOrders(table, { ...everything, orgId, search: 'grace' });

  it('are found by their buyer before and after the migration, which writes their words', async () => {
    const orgId = await givenOrganisation(table, 'org_old_memberships');
    const placed = anOrder({ ...membershipsAlone, firstName: 'Grace' });
    const written = await writeOrder(table, orgId, placed);
    if (written.outcome !== 'recorded') throw new Error(written.outcome);
    const words = orderWordItems(orgId, written.placed.order);
    expect(words).toHaveLength(1);
    for (const { pk, sk } of words) await remove(table, { pk, sk });
    expect((await search(orgId)).orders).toHaveLength(1);
    const deps = { table, nowUnix: () => someSpan, pace: async () => {}, report: () => undefined };
    expect(await runMigration(deps, 'orders')).toMatchObject({ outcome: 'finished', state: { written: 1 } });
    expect(await orderWords(table, orgId, noEventId)).toEqual(words);
    table.meter.reset();
    expect((await search(orgId)).orders).toHaveLength(1);
    for (const { pk, sk } of words) await remove(table, { pk, sk });
    // Only the words find it now.
    expect((await search(orgId)).orders).toHaveLength(0);
  });
});
