import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { listOrders, type OrderListing } from '../../../shared/data/orders/list.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { type OrderRecord, orderRecords } from '../../../shared/domain/orders/order.ts';
import { anOrder, someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { modelFinds } from '../../support/search-model.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

const orgId = 'org_club';
// biome-ignore format: a table of texts
const names = [
  'Anna', 'ÅNNA', "O'Brien", 'OBrien', 'van der Berg', 'Jean-Luc', 'Zoë Müller', 'Mueller', 'Muller', '李小龍', '김민수', '', 'com', '😀',
];
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
const elsewhereRecord = orderRecords(elsewhere).order;
const everything = { orgId, eventId: someEvent, status: undefined, search: undefined, range: {}, page: 1, limit: 20 };
const list = (listing: Partial<OrderListing>) => listOrders(table, { ...everything, ...listing });

/** The rules of the list once more, written in the simplest way. */
function model({ status, search = '', range = {} }: Partial<OrderListing>): number[] {
  const isFound = ({ orderId, orderUuid, firstName, lastName, emailAddress }: OrderRecord): boolean =>
    modelFinds({ texts: [firstName, lastName], emails: [emailAddress], ids: [String(orderId), orderUuid] }, search);
  return orders
    .filter((order) => status === undefined || order.status === status)
    .filter(
      ({ placedUnix }) => placedUnix > (range.after ?? 0) && placedUnix < (range.before ?? Number.POSITIVE_INFINITY),
    )
    .filter(isFound)
    .toSorted((one, other) => one.placedUnix - other.placedUnix || one.orderId - other.orderId)
    .map(({ orderId }) => orderId);
}

function inOrder(placed: readonly OrderRecord[], status: OrderListing['status']): readonly OrderRecord[] {
  return placed
    .filter((order) => status === undefined || order.status === status)
    .toSorted((one, other) => one.placedUnix - other.placedUnix || one.orderId - other.orderId);
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
    'mueller',
    'obrien',
    '@example.org',
    'clubexample',
    '李',
    '小龍',
    '민수',
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
      { numRuns: amount(8, 25) },
    );
  });

  it('list-event-orders never returns an order of another event, not even by its whole id', async () => {
    for (const search of [String(elsewhere.orderId), elsewhere.orderUuid]) {
      expect(await list({ search })).toEqual({ orders: [], hasMore: false });
      expect((await list({ search, eventId: elsewhere.eventId })).orders).toHaveLength(1);
    }
  });

  it('list-event-orders counts pages in the list as it is, in any order and in parallel, after orders and refunds', async () => {
    const own = 'org_jumps';
    const placed: OrderRecord[] = [];
    const sell = async (second: number): Promise<void> => {
      const order = anOrder({ placedUnix: someSpan + second });
      await writeOrder(table, own, order);
      placed.push(orderRecords(order).order);
    };
    // Months, days, hours and seconds apart, several in one second, and not in the order of time.
    for (let index = 0; index < 40; index += 1) await sell([0, 1, 61, 3_700, 90_000, 3_000_000][index % 6] ?? 0);
    for (let round = 0; round < 6; round += 1) {
      for (const status of [undefined, 'confirmed', 'refunded'] as const) {
        const expected = inOrder(placed, status);
        const pages = [7, 1, 3, 2, 6, 5, 4, 9];
        const shown = await Promise.all(
          pages.map((page) => list({ orgId: own, status, page, limit: 7, range: { after: someSpan - 1 } })),
        );
        for (const [index, page] of pages.entries()) {
          expect(idsOf(shown[index]?.orders ?? [])).toEqual(idsOf(expected.slice((page - 1) * 7, page * 7)));
          expect(shown[index]?.hasMore).toBe(expected.length > page * 7);
        }
      }
      await sell(round * 50);
      const [refunded = elsewhereRecord] = placed.splice(round * 3, 1);
      await changeTickets(table, { orgId: own, orderId: refunded.orderId }, { tickets: 'all', to: 'refunded' });
      placed.push({ ...refunded, status: 'refunded' });
    }
  });
});
