import { beforeAll, describe, expect, it } from 'vitest';
import { itemBytes } from '../../../local/cloud/dynamodb/model/item-size.ts';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { countScans, readAttended } from '../../../shared/data/counters/scans.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { listOrders, type OrderListing } from '../../../shared/data/orders/list.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { listScans } from '../../../shared/data/scans/list.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { TimeRange } from '../../../shared/domain/time/time-buckets.ts';
import { anOrder, aScan, aTicket, sian, someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { meteredTable } from '../../support/cost/write-units.ts';
import { createTestTable } from '../../support/table.ts';

/**
 * The same event in both organisations, with ninety days of sales and two of scans. The large one sells and scans ten
 * times as much.
 */
const sizes = { small: 60, large: 600 } as const;
type Size = keyof typeof sizes;
const saleDays = 90;
const doorsOpenUnix = someSpan + saleDays * 86_400;

let table: Table;
/** The size of the rows of a page. */
const rowBytes = { order: 0, scan: 0 };

beforeAll(async () => {
  ({ table } = await createTestTable());
  for (const size of ['small', 'large'] as const) {
    const ledger = new OrderLedger(size);
    const count = sizes[size];
    for (let index = 0; index < count; index += 1) {
      const tickets = [aTicket({ priceIndex: 1 + (index % 3) })];
      ledger.place(
        anOrder({
          placedUnix: someSpan + Math.floor((index * saleDays * 86_400) / count),
          tickets,
          status: index % (count / 10) === 0 ? 'refunded' : 'confirmed',
          firstName: index % (count / 5) === 1 ? 'Zulu' : 'Anna',
          lastName: `S${index}`,
          emailAddress: `s${index}@example.com`,
        }),
      );
      const scannedUnix = doorsOpenUnix + Math.floor((index * 2 * 86_400) / count);
      for (const { barcode } of tickets) ledger.scan(aScan(barcode, { scannedUnix }));
    }
    const items = [...ledger.items()];
    const sizeOf = (kind: string): number => Math.max(...items.filter(({ pk }) => pk.startsWith(kind)).map(itemBytes));
    Object.assign(rowBytes, { order: sizeOf('ORD#'), scan: sizeOf('SCN#') });
    await putItems(table, items);
  }
});

async function reads(work: () => Promise<unknown>): Promise<number> {
  table.meter.reset();
  await work();
  return table.meter.readUnits;
}

/** A range edge may cut a few orders or items more, and each of many reads may begin another 4 KB. */
const rounding = 3;

describe('cost of figures does not depend on how much was sold and scanned', () => {
  const midDay = someSpan + 40 * 86_400 + 4_321;
  const ranges: readonly [string, TimeRange][] = [
    ['all', {}],
    ['since a second', { after: someSpan + 12_345 }],
    ['until a second', { before: midDay }],
    ['between two seconds, months apart', { after: someSpan + 12_345, before: doorsOpenUnix - 54_321 }],
    ['within a day', { after: midDay, before: midDay + 20_000 }],
    ['within an hour', { after: midDay, before: midDay + 1_999 }],
    ['within a minute', { after: midDay, before: midDay + 30 }],
    ['after everything', { after: doorsOpenUnix + 10 ** 7 }],
  ];

  it.each(ranges)('event-sales-summary costs the same whatever was sold: %s', async (_name, range) => {
    const [small, large] = [
      await reads(() => readSales(table, 'small', someEvent, range)),
      await reads(() => readSales(table, 'large', someEvent, range)),
    ];
    expect(large).toBeLessThanOrEqual(small + rounding);
    // All counts are in one shard here, as in generated data. `test/data/counters/cost.test.ts` uses all shards.
    expect(large).toBeLessThanOrEqual(10);
  });

  it.each(ranges)(
    'counting the scans of an event costs the same whatever was scanned: %s',
    async (_name, { after, before }) => {
      const shift = (bound: number | undefined) => bound && bound - midDay + doorsOpenUnix + 30_000;
      const range = { after: shift(after), before: shift(before) };
      const [small, large] = [
        await reads(() => countScans(table, 'small', someEvent, range)),
        await reads(() => countScans(table, 'large', someEvent, range)),
      ];
      expect(large).toBeLessThanOrEqual(small + 0.5);
      // One unit of them reads the day consistently, for the seconds that are still pending, and up to twelve Queries find nothing.
      expect(large).toBeLessThanOrEqual(11);
    },
  );

  it('sales and attendance of an event cost one read unit each', async () => {
    for (const figure of [readSales, readAttended]) {
      const [small, large] = [
        await reads(() => figure(table, 'small', someEvent)),
        await reads(() => figure(table, 'large', someEvent)),
      ];
      expect([small, large]).toEqual([1, 1]);
    }
  });
});

describe('cost of order and scan lists', () => {
  const listing = { eventId: someEvent, status: undefined, search: undefined, range: {}, page: 1, limit: 100 } as const;
  const orders = (orgId: Size, request: Partial<OrderListing> = {}) =>
    reads(() => listOrders(table, { ...listing, ...request, orgId }));
  /** Half a unit for each 4 KB begun, and twice that for a consistent read. */
  const least = (rows: number, bytes: number): number => Math.ceil((rows * bytes) / 4_096) / 2;

  it('list-event-orders costs what its rows cost', async () => {
    expect(await orders('large')).toBeLessThanOrEqual(1.25 * 2 * least(101, rowBytes.order) + 0.5);
    const confirmed = await orders('large', { status: 'confirmed' });
    expect(confirmed).toBeLessThanOrEqual(1.25 * least(101, rowBytes.order));
  });

  it.each([
    ['all orders', {}],
    ['the orders of a status', { status: 'confirmed' }],
    ['the orders since a time', { range: { after: someSpan + 12_345 } }],
  ] as const)(
    'a jump to any page of list-event-orders costs 1.5 times the first page and 10 units: %s',
    async (_name, request) => {
      for (const limit of [20, 100]) {
        const first = await orders('large', { ...request, limit });
        for (const page of [2, 3, Math.floor(550 / limit), Math.floor(600 / limit) + 1, 999]) {
          const jump = await orders('large', { ...request, limit, page });
          expect(jump).toBeLessThanOrEqual(1.5 * first + ('range' in request ? 20 : 10));
        }
      }
    },
  );

  it.each([
    ['a search that all match', { search: 's' }, 600],
    ['two words', { search: 'anna s' }, 595],
    ['a search in a status', { search: 's', status: 'confirmed' }, 590],
  ] as const)(
    'a jump to any page of list-event-orders with %s costs at most 40 read units for 1,000 orders, and the page',
    async (_name, request, found) => {
      for (const page of [Math.ceil(found / 40), Math.floor(found / 20)]) {
        const { orders: shown } = await listOrders(table, { ...listing, ...request, orgId: 'large', limit: 20, page });
        expect(shown).toHaveLength(20);
        const words = request.search.split(' ').length;
        const jump = await orders('large', { ...request, limit: 20, page });
        expect(jump).toBeLessThanOrEqual((40 * words * sizes.large) / 1_000 + 21 / 2 + 2);
      }
    },
  );

  it.each([
    ['a rare name', { search: 'zulu' }],
    ['a rare and a frequent word', { search: 'zulu s' }],
    ['a search without results', { search: 'xyz' }],
    ['a rare status', { status: 'refunded' }],
    ['a rare name with a status and a time', { search: 'zulu', status: 'confirmed', range: { after: someSpan } }],
  ] as const)(
    'list-event-orders costs the same whatever the number of other orders, for %s',
    async (_name, request) => {
      const [small, large] = [await orders('small', request), await orders('large', request)];
      expect(large).toBeLessThanOrEqual(small + 4 * rounding);
    },
  );

  it('list-event-scans costs what its rows cost, and a jump to any page 1.5 times the first page and 10 units', async () => {
    const scans = (limit: number, page = 1) =>
      reads(() => listScans(table, { orgId: 'large', eventId: someEvent, range: {}, page, limit }));
    for (const limit of [20, 100, 500]) {
      const first = await scans(limit);
      expect(first).toBeLessThanOrEqual(1.25 * least(limit + 1, rowBytes.scan) + 1);
      for (const page of [2, Math.floor(590 / limit), 999]) {
        expect(await scans(limit, page)).toBeLessThanOrEqual(1.5 * first + 10);
      }
    }
  });
});

describe('write cost of orders and scans', () => {
  it('an order of four tickets costs 38 write units in 17 items, and its refund takes 15 items', async () => {
    const metered = meteredTable(table);
    const placed = anOrder({ ...sian, tickets: Array.from({ length: 4 }, () => aTicket({ ticketName: 'Siân' })) });
    const { orderId } = placed;
    await writeOrder(metered.table, 'org_costly', placed);
    expect({ items: metered.lastItems(), units: await metered.lastUnits() }).toEqual({ items: 17, units: 38 });
    await changeTickets(metered.table, { orgId: 'org_costly', orderId }, { tickets: 'all', to: 'refunded' });
    expect(metered.lastItems()).toBe(15);
  });

  it('an admitting scan costs 8 write units, and a refused one 6', async () => {
    const metered = meteredTable(table);
    const placed = anOrder({ ...sian, tickets: [aTicket({ ticketName: 'Siân' })] });
    await writeOrder(table, 'org_costly', placed);
    const scan = aScan(placed.tickets[0]?.barcode ?? '');
    await recordScan(metered.table, { orgId: 'org_costly', scan, nonce: 'n1' });
    expect({ items: metered.lastItems(), units: await metered.lastUnits() }).toEqual({ items: 4, units: 8 });
    await recordScan(metered.table, { orgId: 'org_costly', scan, nonce: 'n2' });
    expect({ items: metered.lastItems(), units: await metered.lastUnits() }).toEqual({ items: 3, units: 6 });
  });
});
