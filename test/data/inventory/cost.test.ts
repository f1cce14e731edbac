import { beforeAll, describe, expect, it } from 'vitest';
import { importOrder } from '../../../shared/data/admin/import-order.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { bucketSeconds } from '../../../shared/domain/time/time-buckets.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket, someSpan } from '../../../tools/fixtures/orders.ts';
import { inventoryOf, wrongIn } from '../../support/inventory.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const orgId = 'org_cost';

/** An event whose hundred prices were sold in each of three spans of the counters. */
async function givenSoldEvent(capacity: number) {
  const { eventId } = await givenEvent(table, orgId);
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const prices: PriceRecord[] = [];
  for (let number = 1; number <= 100; number += 1) {
    prices.push(await givenPrice(table, orgId, { eventId, categoryId, capacity, orderBy: number }));
  }
  for (const span of [0, 1, 2]) {
    for (let first = 0; first < 100; first += 20) {
      const tickets = prices
        .slice(first, first + 20)
        .map(({ priceId, index }) => aTicket({ priceId, priceIndex: index }));
      const placedUnix = someSpan + span * bucketSeconds.span + first;
      const { orderId: _, ...past } = anOrder({ eventId, placedUnix, tickets });
      await importOrder(table, orgId, past);
    }
  }
  return eventId;
}

describe('cost of event-inventory', () => {
  it.each([150, 800])('event-inventory of 100 prices of %i tickets costs at most 40 read units', async (capacity) => {
    const eventId = await givenSoldEvent(capacity);
    table.meter.reset();
    const rows = await inventoryOf(table, orgId, eventId);
    expect(table.meter.readUnits).toBeLessThanOrEqual(40);
    expect(rows).toHaveLength(100);
    expect(wrongIn(rows)).toEqual([]);
    expect(rows.map(({ sold }) => sold)).toEqual(Array(100).fill(3));
  });
});
