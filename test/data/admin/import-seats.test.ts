import { afterAll, beforeAll, expect, it } from 'vitest';
import { orderUuidOf } from '../../../shared/data/admin/import-order.ts';
import { auditSeats } from '../../../shared/data/audit/seats.ts';
import { readOrderByUuid } from '../../../shared/data/orders/read.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { checkoutDepsOf, type TestCheckoutDeps } from '../../support/baskets.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { runDueJobs } from '../../support/jobs.ts';
import { rowsNow } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_past_seats';
const eventId = derivedEventId(orgId, 'final');
const files = new Files();
const stand = aSeatMap([
  { row: 'A', seats: '1-6' },
  { row: 'B', seats: '1-6' },
]);
let deps: TestCheckoutDeps;
let written = 0;

beforeAll(async () => {
  const { table } = await createTestTable();
  deps = checkoutDepsOf(table, orgId);
  await givenOrganisation(table, orgId);
});
afterAll(() => files.remove());

async function given(dataset: string, ...rows: object[]) {
  written += 1;
  const file = files.write(`${written}.ndjson`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const counts = await importInto(deps.table, { orgId, dataset, file, nowUnix: deps.nowUnix });
  const rejected = counts.rejected === 0 ? '' : files.read(`${written}.ndjson.rejected.ndjson`);
  return { ...counts, reasons: rejected };
}

const setUp = async (dataset: string, row: object) =>
  expect(await given(dataset, row)).toMatchObject({ created: 1, reasons: '' });

const mapRow = (...rows: readonly (readonly [row: string, seats: string])[]) => ({
  code: 'stand',
  title: 'Stand',
  sections: [{ section: 'Stalls', rows: rows.map(([row, seats]) => ({ row, seats })) }],
});
const seat = (row: string, title: string) => ({ seat_section: 'Stalls', seat_row: row, seat_title: title });
const ticket = (barcode: string, seat_row: string, seat_title: string, more = {}) => ({
  barcode,
  price_code: 'adult',
  section_label: 'Stalls',
  seat_row,
  seat_title,
  ...more,
});
const order = (order_ref: string, ...tickets: object[]) => ({
  order_ref,
  event_code: 'final',
  order_date: 1_790_000_000,
  tickets,
});
const rows = () => rowsNow(deps.table, orgId, eventId, stand);

it('a club moves in with its map, its season holders and the tickets that it has sold', async () => {
  await setUp('seat-maps', mapRow(['A', '1-6'], ['B', '1-6']));
  await setUp('membership-categories', { code: 'season', title: 'Season', seat_map_code: 'stand', game_day_access: 1 });
  await setUp('membership-types', {
    code: 'full',
    title: 'Full',
    category_code: 'season',
    price: 100,
    game_day_access: 1,
  });
  const member = (member_number: string, more: object) => ({
    member_number,
    membership_type_code: 'full',
    membership_member_status_id: 1,
    first_name: 'Ada',
    last_name: 'L',
    ...more,
  });
  const members = await given(
    'members',
    member('1', seat('A', '1')),
    member('2', seat('A', '2')),
    member('3', seat('A', '2')),
    member('4', { ...seat('A', '3'), membership_member_status_id: 3 }),
    member('5', seat('A', '3')),
  );
  expect(members).toMatchObject({ created: 4, rejected: 1, reasons: expect.stringContaining('another member') });
  await setUp('events', {
    code: 'final',
    title: 'Final',
    utc_event_start_date: '2098-06-01T12:00:00Z',
    timezone: 'UTC',
    currency: 'AUD',
    reserved_seating: true,
    reserved_seat_map_code: 'stand',
  });
  await setUp('price-categories', { event_code: 'final', code: 'stalls', title: 'Stalls', zone: 'Stalls' });
  await setUp('prices', {
    event_code: 'final',
    code: 'adult',
    category_code: 'stalls',
    title: 'Adult',
    price: 30,
  });
  await runDueJobs(deps);
  expect(await rows()).toEqual(['xxx...', '......']);

  const orders = [
    order('O1', ticket('b1', 'B', '1'), ticket('b2', 'B', '2'), ticket('b3', 'B', '3', { ticket_status_id: 3 })),
    order('O2', ticket('b4', 'B', '3')),
    order('O3', { barcode: 'b5', price_code: 'adult', seat_row: 'somewhere' }),
  ];
  expect(await given('orders', ...orders)).toMatchObject({ created: 3 });
  expect(await rows()).toEqual(['xxx...', 'xxx...']);
  expect(await given('orders', ...orders)).toMatchObject({ unchanged: 3 });
  expect(await auditSeats(deps.table, { orgId, eventId }, deps.nowUnix)).toEqual([]);
});

it.each([
  [
    'a seat that is sold',
    order('N1', ticket('n1', 'B', '4'), ticket('n2', 'B', '1')),
    'These seats are taken: Stalls/B/1',
  ],
  ['the seat of a member', order('N2', ticket('n1', 'A', '1')), 'These seats are taken: Stalls/A/1'],
  ['a seat that the map does not have', order('N3', ticket('n1', 'Z', '1')), 'no seat \\"Stalls/Z/1\\"'],
  ['one seat for two tickets', order('N4', ticket('n1', 'B', '5'), ticket('n2', 'B', '5')), 'or two tickets have it'],
])('an order with %s is rejected, and takes none', async (_what, row, reason) => {
  expect(await given('orders', row)).toMatchObject({ rejected: 1, reasons: expect.stringContaining(reason) });
  expect(await rows()).toEqual(['xxx...', 'xxx...']);
});

it('an order is judged by the seats of its sold tickets: others may have had the same ones, or ones that are gone', async () => {
  const refunded = { ticket_status_id: 3 };
  const resold = order(
    'R1',
    ticket('r1', 'B', '4', refunded),
    ticket('r2', 'B', '4'),
    ticket('r3', 'Z', '1', refunded),
  );
  const cancelled = { ...order('R2', ticket('r4', 'Z', '1')), order_status: 'cancelled' };
  expect(await given('orders', resold, cancelled)).toMatchObject({ created: 2, reasons: '' });
  expect(await rows()).toEqual(['xxx...', 'xxxx..']);
  const placed = await readOrderByUuid(deps.table, orgId, orderUuidOf(orgId, 'R1'));
  await cancelOrRefundTickets(deps, placed?.orderId ?? 0, { tickets: 'all', to: 'refunded' });
  expect(await rows()).toEqual(['xxx...', 'xxx...']);
  expect(await auditSeats(deps.table, { orgId, eventId }, deps.nowUnix)).toEqual([]);
});

it('a refund of an imported ticket returns its seat', async () => {
  const placed = await readOrderByUuid(deps.table, orgId, orderUuidOf(orgId, 'O2'));
  await cancelOrRefundTickets(deps, placed?.orderId ?? 0, { tickets: 'all', to: 'refunded' });
  expect(await rows()).toEqual(['xxx...', 'xx....']);
  expect(await auditSeats(deps.table, { orgId, eventId }, deps.nowUnix)).toEqual([]);
});

it('an imported map cannot lose the seat of a member, and another version has the others', async () => {
  const lost = await given('seat-maps', mapRow(['A', '2-6']));
  expect(lost).toMatchObject({ rejected: 1, reasons: expect.stringContaining('Stalls/A/1, which members have') });
  expect(await given('seat-maps', mapRow(['A', '1-6']))).toMatchObject({ updated: 1 });
});
