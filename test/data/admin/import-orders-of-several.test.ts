import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderUuidOf } from '../../../shared/data/admin/import-order.ts';
import { countOrders, readSales } from '../../../shared/data/counters/sales.ts';
import { readOrderByUuid, readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_group';
const eventId = derivedEventId(orgId, 'r5');
const files = new Files();
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await givenEvent(table, orgId, { code: 'r5' });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  await givenPrice(table, orgId, { eventId, categoryId, code: 'adult', capacity: 10 });
});
afterAll(() => files.remove());

describe('import orders of several people', () => {
  it('makes one order of all tickets of a line, and adds nothing for a second line of the same order', async () => {
    const tickets = ['g1', 'g2', 'g3'].map((barcode) => ({ barcode, price_code: 'adult' }));
    const line = { order_ref: 'GROUP', event_code: 'r5', order_date: 1_790_000_000, tickets };
    const again = { ...line, tickets: [{ barcode: 'g4', price_code: 'adult' }] };
    const file = files.write('group.ndjson', [line, again].map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(await importInto(table, { orgId, dataset: 'orders', file })).toMatchObject({ created: 1, unchanged: 1 });
    const found = await readOrderByUuid(table, orgId, orderUuidOf(orgId, 'GROUP'));
    const placed = await readOrderWithTickets(table, orgId, found?.orderId ?? 0);
    expect(placed?.tickets.map(({ barcode }) => barcode)).toEqual(['g1', 'g2', 'g3']);
    expect(await countOrders(table, { orgId, eventId })).toBe(1);
    const sales = [...(await readSales(table, orgId, eventId)).values()];
    expect(sales.map(({ tickets: sold }) => sold)).toEqual([3]);
  });
});
