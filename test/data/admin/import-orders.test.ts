import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importOrder, orderUuidOf } from '../../../shared/data/admin/import-order.ts';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { countScans, readAttended } from '../../../shared/data/counters/scans.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { readOrderByUuid, readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { category, givenConfig } from '../../../tools/fixtures/membership.ts';
import { anOrder, aTicket, itemsLike } from '../../../tools/fixtures/orders.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { scanAtGate } from '../../support/person-with-traces.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_past';
const eventId = derivedEventId(orgId, 'r5');
const placedUnix = 1_790_000_000;
const files = new Files();
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await givenEvent(table, orgId, { code: 'r5' });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId, title: 'East Stand' });
  await givenPrice(table, orgId, { eventId, categoryId, code: 'adult', title: 'Adult', capacity: 6 });
  await givenPrice(table, orgId, {
    eventId,
    categoryId,
    code: 'family',
    title: 'Family',
    priceMinor: 7_010,
    serviceFeeMinor: 10,
    serviceTaxMinor: 1,
    ticketsIncluded: 4,
  });
  await givenCustomer(table, orgId, { orgCustomerId: 'C1', firstName: 'Ada', emailAddress: 'ada@example.com' });
});
afterAll(() => files.remove());

let written = 0;
async function given(dataset: string, ...rows: object[]) {
  written += 1;
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const file = files.write(`${written}.ndjson`, text);
  const counts = await importInto(table, { orgId, dataset, file });
  const reasons =
    counts.rejected === 0
      ? []
      : files
          .read(`${written}.ndjson.rejected.ndjson`)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .map(({ line, reason }) => `${line}: ${reason}`);
  return { ...counts, reasons };
}

const order = (order_ref: string, fields: object = {}) => ({
  order_ref,
  event_code: 'r5',
  order_date: placedUnix,
  tickets: [{ barcode: `${order_ref}-1`, price_code: 'adult' }],
  ...fields,
});
/** An order of 12.00: a ticket of 10.00, its fee of 1.00, and a fee of 1.00 on the order. */
const ofTwelve = (barcode: string) => ({
  tickets: [{ barcode, price_code: 'adult', price: 10, rebate: 0, service_fee: 1, service_tax: 0 }],
  transaction_fee: 1,
});
const newOrderOf = async (ref: string) => {
  const found = await readOrderByUuid(table, orgId, orderUuidOf(orgId, ref));
  return readOrderWithTickets(table, orgId, found?.orderId ?? 0);
};
const availableOf = async (index: number) => (await readStock(table, orgId, eventId)).get(index)?.avail;

describe('import orders', () => {
  it('records an order once with its tickets, counters and stock, and changes nothing when imported again', async () => {
    const row = order('A', { org_customer_id: 'C1', tickets: [{ barcode: 'a1', price_code: 'adult' }] });
    expect(await given('orders', row)).toMatchObject({ created: 1 });
    const placed = await newOrderOf('A');
    expect(placed).toMatchObject({
      order: { status: 'confirmed', firstName: 'Ada', emailAddress: 'ada@example.com', totalMinor: 3_215 },
      tickets: [{ barcode: 'a1', priceTitle: 'Adult', categoryTitle: 'East Stand', faceMinor: 3_000, status: 1 }],
    });
    expect(await availableOf(1)).toBe(5);
    await changeTickets(table, { orgId, orderId: placed?.order.orderId ?? 0 }, { tickets: 'all', to: 'refunded' });
    expect(await given('orders', row, { ...row, first_name: 'Somebody else' })).toMatchObject({ unchanged: 2 });
    expect(await newOrderOf('A')).toMatchObject({ order: { status: 'refunded', firstName: 'Ada' } });
    expect(await availableOf(1)).toBe(5);
  });

  it('splits the amounts of a group price among its tickets, to the last cent', async () => {
    const tickets = ['g1', 'g2', 'g3', 'g4'].map((barcode) => ({ barcode, price_code: 'family' }));
    await given('orders', order('G', { tickets }));
    const placed = await newOrderOf('G');
    expect(placed?.tickets.map(({ faceMinor }) => faceMinor)).toEqual([1_753, 1_753, 1_752, 1_752]);
    expect(placed?.order.totalMinor).toBe(7_021);
    expect((await readSales(table, orgId, eventId)).get(2)).toMatchObject({ tickets: 4, orders: 1, grossMinor: 7_021 });
    expect(await availableOf(2)).toBe(96);
  });

  it('takes no stock for cancelled and refunded tickets', async () => {
    const before = await availableOf(1);
    await given('orders', order('R', { order_status: 'cancelled' }));
    const half = [
      { barcode: 'h1', price_code: 'adult', ticket_status_id: 3 },
      { barcode: 'h2', price_code: 'adult' },
    ];
    await given('orders', order('H', { tickets: half }));
    expect(await availableOf(1)).toBe((before ?? 0) - 1);
    expect((await newOrderOf('H'))?.tickets.map(({ status }) => status)).toEqual([3, 1]);
  });

  it('rejects a whole order with its line number if a part of it is wrong', async () => {
    const before = (await itemsLike(table, 'BAR#')).length;
    const { reasons } = await given(
      'orders',
      order('n1', { event_code: 'none' }),
      order('n2', { tickets: [{ barcode: 'n2', price_code: 'none' }] }),
      order('n3', { org_customer_id: 'none' }),
      order('n4', { tickets: [{ barcode: 'a1', price_code: 'adult' }] }),
      order('n5', { tickets: Array.from({ length: 9 }, (_, nth) => ({ barcode: `n5-${nth}`, price_code: 'adult' })) }),
      order('n6', { order_status: 'refunded', tickets: [{ barcode: 'n6', price_code: 'adult', ticket_status_id: 1 }] }),
      order('n7', { tickets: [] }),
      order('n8', { tickets: [{ barcode: 'n8', price_code: 'adult', seat: 'K7' }] }),
      order('n9', { tickets: [{ barcode: 'n9', price_code: 'adult', price: 1.2345 }] }),
      order('n10', { tickets: [{ barcode: 'n10', price_code: 'adult', price: 1.234 }] }),
      order('n11', { transaction_fee: 1.234 }),
      order('n12', { tickets: [{ barcode: 'n12', price_code: 'adult', price: 10, rebate: 10.01 }] }),
      order('n13', { ...ofTwelve('n13'), discount_amount: 12.01 }),
    );
    expect(reasons).toEqual([
      '1: event_code "none" does not exist.',
      '2: price_code "none" does not exist in the event.',
      '3: org_customer_id "none" does not exist.',
      '4: These barcodes belong to other tickets or members: a1.',
      '5: Not enough tickets are left. Raise the capacity of adult first.',
      '6: An order with order_status refunded cannot have sold tickets.',
      '7: tickets must be a list of tickets, in CSV as JSON.',
      '8: tickets.0.seat is not an allowed field.',
      '9: tickets.0.price must be a number of at least 0 with at most three decimals, such as 240.5.',
      '10: tickets: price must have at most 2 decimals: the currency is AUD.',
      '11: transaction_fee must have at most 2 decimals: the currency is AUD.',
      '12: tickets: rebate must not be more than price.',
      '13: The order cannot be recorded: its discount is larger than its tickets and fees.',
    ]);
    expect((await itemsLike(table, 'BAR#')).length).toBe(before);
  });

  it('records an order whose discount pays for all of it', async () => {
    expect(await given('orders', order('free', { ...ofTwelve('free'), discount_amount: 12 }))).toMatchObject({
      created: 1,
    });
    expect(await newOrderOf('free')).toMatchObject({
      order: { totalMinor: 0, transactionFeeMinor: 0, discountMinor: 1_100 },
    });
  });

  it('gives each order of the same second its own id, also when several imports run at once', async () => {
    const event = await givenEvent(table, orgId, { code: 'busy' });
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId: event.eventId });
    await givenPrice(table, orgId, { eventId: event.eventId, categoryId, capacity: 1_000 });
    const past = (nth: number) => {
      const ticket = aTicket({ priceIndex: 1, priceId: event.eventId + 1, barcode: `busy-${nth}` });
      const { orderId: _, ...placed } = anOrder({ eventId: event.eventId, placedUnix: placedUnix, tickets: [ticket] });
      return { ...placed, orderUuid: orderUuidOf(orgId, `busy-${nth}`) };
    };
    const orders = Array.from({ length: 12 }, (_, nth) => past(nth));
    const outcomes = await Promise.all([...orders, ...orders].map((one) => importOrder(table, orgId, one)));
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(12);
    expect(outcomes.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(12);
    const stock = await readStock(table, orgId, event.eventId);
    expect(stock.get(1)).toEqual({ avail: 988, capacity: 1_000 });
  });

  it('takes the next id if another order of the same second has the derived one', async () => {
    const { orderId: _, ...one } = anOrder({ eventId, placedUnix: placedUnix + 60, tickets: [aTicket()] });
    expect(await importOrder(table, orgId, one)).toEqual({ outcome: 'created' });
    const wanted = (await readOrderByUuid(table, orgId, one.orderUuid))?.orderId ?? 0;

    const { table: other } = await createTestTable();
    await givenEvent(other, orgId, { code: 'r5' });
    const { categoryId } = await givenPriceCategory(other, orgId, { eventId });
    await givenPrice(other, orgId, { eventId, categoryId });
    await writeOrder(other, orgId, anOrder({ eventId, orderId: wanted, placedUnix: placedUnix + 60 }));
    expect(await importOrder(other, orgId, one)).toEqual({ outcome: 'created' });
    const got = (await readOrderByUuid(other, orgId, one.orderUuid))?.orderId;
    expect(got).not.toBe(wanted);
    expect(await importOrder(other, orgId, one)).toEqual({ outcome: 'unchanged' });
  });
});

describe('import scans', () => {
  it('records a scan once with the result of that time, and counts attendance', async () => {
    const scan = (scan_ref: string, fields: object = {}) => ({
      event_code: 'r5',
      scan_ref,
      barcode: 'g1',
      scanned_at: placedUnix + 5_000,
      ...fields,
    });
    const rows = [
      scan('1', { gate_id: 3, gate: 'East' }),
      scan('2', { scanned_at: placedUnix + 5_100, result: 'already_scanned' }),
      scan('3', { barcode: 'poster', result: 'invalid' }),
    ];
    expect(await given('scans', ...rows)).toMatchObject({ created: 3 });
    expect(await given('scans', ...rows)).toMatchObject({ unchanged: 3 });
    expect(await countScans(table, orgId, eventId)).toBe(3);
    expect(await readAttended(table, orgId, eventId)).toEqual(new Map([[2, 1]]));
    expect((await given('scans', scan('4', { event_code: 'none' }))).reasons).toEqual([
      '1: event_code "none" does not exist.',
    ]);
  });

  it('counts the scan of a member: it names the member, and the gate does not admit the member again', async () => {
    const { categoryId, ...season } = category(orgId, 'season', { title: 'Season', gameDayAccess: 1 });
    await givenConfig(table, orgId, { ...season, categoryId });
    for (const number of ['1', '2']) {
      const fields = { statusId: 1, categoryId, categoryTitle: 'Season', barcode: `card-${number}` } as const;
      await savedMember(table, orgId, memberDraft(number, fields), placedUnix);
    }
    const scan = { event_code: 'r5', scan_ref: 'm1', barcode: 'card-1', scanned_at: placedUnix + 6_000 };
    expect(await given('scans', scan)).toMatchObject({ created: 1 });
    const [imported] = (await itemsLike(table, `SCN#${orgId}#`)).filter(({ code }) => code === 'card-1');
    expect(imported).toMatchObject({ result: 'ok', name: 'Ada Number 1', club: categoryId, group: 'Season' });

    expect(await scanAtGate(table, orgId, eventId, 'card-1')).toMatchObject({
      scan: { result: 'already_scanned' },
      firstSortKey: imported?.sk,
    });
    expect(await scanAtGate(table, orgId, eventId, 'card-2')).toMatchObject({ scan: { result: 'ok' } });
    await given('scans', { ...scan, scan_ref: 'm2', direction: 'out', result: 'out', scanned_at: placedUnix + 9_000 });
    expect(await scanAtGate(table, orgId, eventId, 'card-1')).toMatchObject({ scan: { result: 'ok' } });
  });
});
