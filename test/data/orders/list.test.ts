import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { listOrders, type OrderListing } from '../../../shared/data/orders/list.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { OrderRecord } from '../../../shared/domain/orders/order.ts';
import { anOrder, someEvent, someSpan } from '../../support/orders.ts';
import { putItems } from '../../support/put-items.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_club';
const names = ['Anna', 'ÅNNA', "O'Brien", 'van der Berg', 'Jean-Luc', 'Zoë Müller', '李小龍', '', 'com', '😀'];
const mailboxes = [
  'anna@example.com',
  'zoe.mueller@example.org',
  'o.brien+tickets@club.example',
  'anna.berg@example.com',
];
const statuses = ['confirmed', 'confirmed', 'refunded', 'cancelled', 'confirmed', 'pending'] as const;

let table: Table;
let orders: readonly OrderRecord[];

beforeAll(async () => {
  ({ table } = await createTestTable());
  const ledger = new OrderLedger(orgId);
  orders = Array.from({ length: 130 }, (_, index) => {
    const pick = <T>(list: readonly T[], step: number): T | undefined => list[(index * step) % list.length];
    return ledger.place(
      anOrder({
        // Several orders are placed in the same second: the id decides their order.
        placedUnix: someSpan + 7 * ((index * 37) % 60),
        status: statuses[index % statuses.length] ?? 'confirmed',
        firstName: index % 9 === 0 ? null : (pick(names, 3) ?? null),
        lastName: index % 5 === 0 ? null : (pick(names, 7) ?? null),
        emailAddress: index % 4 === 0 ? null : (pick(mailboxes, 5) ?? null),
      }),
    ).order;
  });
  await putItems(table, [...ledger.items()]);
  // Orders of the same people at another event, which no listing here asks for.
  await writeOrder(table, orgId, elsewhere);
});

const elsewhere = anOrder({ eventId: someEvent + 512, firstName: 'Anna', emailAddress: 'anna@example.com' });
const everything = { orgId, eventId: someEvent, status: undefined, search: undefined, range: {}, page: 1, limit: 20 };
const list = (listing: Partial<OrderListing>) => listOrders(table, { ...everything, ...listing }, someSpan);

/** The rules of the list once more, written in the simplest way. */
function model({ status, search = '', range = {} }: Partial<OrderListing>): number[] {
  const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const isFound = ({ orderId, orderUuid, firstName, lastName, emailAddress }: OrderRecord): boolean => {
    const known = [firstName, lastName, emailAddress]
      .flatMap((text) => fold(text ?? '').split(' '))
      .flatMap((word) =>
        [...word.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => word.slice(index)).concat(word),
      );
    return fold(search)
      .split(' ')
      .filter(Boolean)
      .every((word) => word === String(orderId) || word === orderUuid || known.some((one) => one.startsWith(word)));
  };
  return orders
    .filter((order) => status === undefined || order.status === status)
    .filter(
      ({ placedUnix }) => placedUnix > (range.after ?? 0) && placedUnix < (range.before ?? Number.POSITIVE_INFINITY),
    )
    .filter(isFound)
    .toSorted((one, other) => one.placedUnix - other.placedUnix || one.orderId - other.orderId)
    .map(({ orderId }) => orderId);
}

const idsOf = (rows: readonly OrderRecord[]): number[] => rows.map(({ orderId }) => orderId);

async function readAllPages(listing: Partial<OrderListing> & { readonly limit: number }): Promise<number[]> {
  const shown: number[] = [];
  for (let page = 1; ; page += 1) {
    const { orders: rows, hasMore } = await list({ ...listing, page });
    shown.push(...idsOf(rows));
    if (!hasMore) return shown;
    expect(rows).toHaveLength(listing.limit);
  }
}

describe('list-event-orders', () => {
  const word = fc.constantFrom(
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
    '李',
    'luc',
    'x',
    '😀',
  );
  const someId = fc.nat().map((nth) => orders[nth % orders.length]);
  const text = fc.oneof(
    word,
    fc.tuple(word, word).map((words) => words.join(' ')),
    someId.map((order) => String(order?.orderId)),
    someId.map((order) => order?.orderUuid.toUpperCase() ?? ''),
    fc
      .tuple(
        word,
        someId.map((order) => String(order?.orderId)),
      )
      .map((words) => words.join('  ')),
  );
  const bound = fc.option(fc.integer({ min: someSpan - 5, max: someSpan + 430 }), { nil: undefined });
  const query = fc.record({
    status: fc.constantFrom(undefined, undefined, 'confirmed', 'refunded', 'cancelled', 'pending'),
    search: fc.option(text, { nil: undefined }),
    range: fc.record({ after: bound, before: bound }),
    limit: fc.integer({ min: 5, max: 100 }),
    page: fc.integer({ min: 1, max: 8 }),
  });

  it('list-event-orders returns what the model returns for any filter, on every page read in sequence and on a page read directly', async () => {
    await fc.assert(
      fc.asyncProperty(query, async ({ page, limit, ...filters }) => {
        const expected = model({ ...filters, search: filters.search?.toLowerCase() });
        const { orders: rows, hasMore } = await list({ ...filters, page, limit });
        expect(idsOf(rows)).toEqual(expected.slice((page - 1) * limit, page * limit));
        expect(hasMore).toBe(expected.length > page * limit);
        expect(await readAllPages({ ...filters, limit })).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('list-event-orders never returns an order of another event, not even by its whole id', async () => {
    for (const search of [String(elsewhere.orderId), elsewhere.orderUuid]) {
      expect(await list({ search })).toEqual({ orders: [], hasMore: false });
      expect((await list({ search, eventId: elsewhere.eventId })).orders).toHaveLength(1);
    }
  });

  it('list-event-orders neither skips nor repeats an order when orders are added between pages', async () => {
    const own = 'org_pages';
    const sell = (second: number) => writeOrder(table, own, anOrder({ placedUnix: someSpan + second }));
    for (let second = 0; second < 12; second += 1) await sell(second * 10);
    const shown: number[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const { orders: rows } = await list({ orgId: own, page, limit: 4 });
      shown.push(...rows.map(({ placedUnix }) => placedUnix - someSpan));
      // One order is imported with a place before the pages already read, and one is added at the end.
      await sell(1);
      await sell(200 + page);
    }
    expect(shown.slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, index) => index * 10));
    expect(shown.slice(12)).toEqual([201, 202, 203]);
  });
});
