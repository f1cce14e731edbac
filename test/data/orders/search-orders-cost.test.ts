import { beforeAll, describe, expect, it } from 'vitest';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { type AllOrdersListing, listAllOrders } from '../../../shared/data/orders/list-all.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { anOrder, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const everything = { userId: undefined, emailAddress: undefined, status: undefined, range: {}, page: 1, limit: 20 };

describe('cost of list-orders with a search', () => {
  const sizes = { small: 100, large: 2_000 } as const;
  const events = 5;
  beforeAll(async () => {
    for (const orgId of ['small', 'large'] as const) await givenSales(orgId, sizes[orgId]);
  });

  async function givenSales(orgId: string, size: number): Promise<void> {
    const ledger = new OrderLedger(orgId);
    const eventIds: number[] = [];
    for (let index = 0; index < events; index += 1) eventIds.push((await givenEvent(table, orgId)).eventId);
    for (let index = 0; index < size; index += 1) {
      ledger.place(
        anOrder({
          eventId: eventIds[index % events] ?? 0,
          placedUnix: someSpan + index * 60,
          firstName: index % (size / 5) === 1 ? 'Zulu' : 'Anna',
          lastName: index % 10 === 0 ? 'Kowalczyk' : `S${index}`,
          emailAddress: `s${index}@example.com`,
        }),
      );
    }
    const items = [...ledger.items()].filter(({ pk }) => /^(ORD|ORT|ORV|POS|POT)#/.test(pk));
    await putItems(table, items);
  }

  async function cost(orgId: string, changes: Partial<AllOrdersListing>): Promise<number> {
    table.meter.reset();
    await listAllOrders(table, { ...everything, orgId, ...changes });
    return table.meter.readUnits;
  }

  it.each(['zulu', 'zulu s', 'xyz', 'zulu xyz'])(
    'list-orders with the search %j costs the same whatever the number of other orders',
    async (search) => {
      const [small, large] = [await cost('small', { search }), await cost('large', { search })];
      // A unit for each word and event, and for each page of a frequent word.
      expect(large).toBeLessThanOrEqual(small + 12);
    },
  );

  it('list-orders with a search that many match costs as many orders as the page needs', async () => {
    for (const search of ['anna', 'example.com', 's anna']) {
      const first = await cost('large', { search });
      expect(first).toBeLessThanOrEqual(90);
    }
  });

  it('list-orders with a search that all match returns the newest, whether it compares orders or reads words', async () => {
    for (const page of [1, 2, 50, sizes.large / 20]) {
      const { orders, hasMore } = await listAllOrders(table, {
        ...everything,
        orgId: 'large',
        search: 'example',
        page,
      });
      const expected = Array.from(
        { length: 20 },
        (_, index) => someSpan + (sizes.large - (page - 1) * 20 - index - 1) * 60,
      );
      expect(orders.map(({ order }) => order.placedUnix)).toEqual(expected);
      expect(hasMore).toBe(page < sizes.large / 20);
    }
  });

  it.each(['anna', 'kowalczyk', 'anna s'])(
    'a jump to any page of list-orders with the search %j costs at most 40 read units for 1,000 orders, and the page',
    async (search) => {
      const words = search.split(' ').length;
      for (const page of [3, 7, 10]) {
        const jump = await cost('large', { search, page });
        expect(jump).toBeLessThanOrEqual((40 * words * sizes.large) / 1_000 + 21 + 2 * events * words + 12);
      }
    },
  );
});
