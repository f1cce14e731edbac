import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { ordersSection } from '../../../admin/person/orders.ts';
import { scansSection } from '../../../admin/person/scans.ts';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { eventItems } from '../../../shared/data/events/row.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { listOrders } from '../../../shared/data/orders/list.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { aCustomer } from '../../../tools/fixtures/customers.ts';
import { anEvent } from '../../../tools/fixtures/events.ts';
import { anOrder, aScan, aTicket, orderWords, someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { crashingAt } from '../../support/import-files.ts';
import { createTestTable } from '../../support/table.ts';

const customer = aCustomer({ userId: 4_711 });
const holderMemberId = 4_711_815;
const traces = ['xanthippe', 'quixley', 'tr4 1ce', String(holderMemberId)];
let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const buyer = {
  userId: customer.userId,
  firstName: 'Xanthippe',
  lastName: 'Quixley-Smith',
  emailAddress: 'x.quixley@trace.example',
  postcode: 'TR4 1CE',
};

/** A buyer with a confirmed order, scanned twice, and a refunded order at another event; and another buyer. */
async function givenBuyer() {
  organisations += 1;
  const orgId = `org_${organisations}`;
  const event = { ...anEvent(), soldOut: false, cancelledUnix: null, version: 1 };
  await putItems(table, eventItems(orgId, { ...event, eventId: someEvent }));
  const tickets = [aTicket({ ticketName: 'Xanthippe' }), aTicket({ ticketName: 'Quixley junior', holderMemberId })];
  const placed = anOrder({ ...buyer, tickets });
  const refunded = anOrder({ ...buyer, eventId: someEvent + 512 });
  const others = anOrder({ firstName: 'Ada', emailAddress: 'ada@example.com', userId: 12 });
  for (const each of [placed, refunded, others]) await writeOrder(table, orgId, each);
  await changeTickets(table, { orgId, orderId: refunded.orderId }, { tickets: 'all', to: 'refunded' });
  const [{ barcode = '' } = {}] = tickets;
  for (const scannedUnix of [someSpan + 60, someSpan + 120]) {
    await recordScan(table, { orgId, scan: aScan(barcode, { scannedUnix }), nonce: null });
  }
  const [{ barcode: adas = '' } = {}] = others.tickets;
  await recordScan(table, { orgId, scan: aScan(adas), nonce: null });
  return { orgId, placed, refunded, others, barcode };
}

const person = (orgId: string, through = table) => ({
  table: through,
  orgId,
  customer,
  addresses: [customer.emailAddress ?? ''],
  sharing: new Map([[customer.emailAddress ?? '', [customer]]]),
  requestId: 'cli_1',
  clock: { nowMs: () => someSpan * 1000 },
});

/** All items of the organisation, as text. */
async function allTextOf(orgId: string): Promise<string> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  return JSON.stringify(Items.filter(({ pk }) => String(pk).split('#')[1] === orgId)).toLowerCase();
}

async function expectNoTrace(orgId: string): Promise<void> {
  const left = await allTextOf(orgId);
  for (const trace of traces) expect(left).not.toContain(trace);
}

describe('orders, tickets and scans of a customer', () => {
  it('are part of customer export', async () => {
    const { orgId, placed, refunded, barcode } = await givenBuyer();
    const orders = await ordersSection.collect(person(orgId));
    expect(orders).toHaveLength(2);
    // Both were placed in the same second, so their random ids decide which one is first.
    const all: readonly unknown[] = Array.isArray(orders) ? orders : [];
    const orderOf = (orderId: number) => all.find((order) => fieldsOf(order).order_id === orderId);
    expect(orderOf(placed.orderId)).toMatchObject({
      email_address: 'x.quixley@trace.example',
      event_id: String(someEvent),
      total: 45.5,
      tickets: [
        { ticket_name: 'Xanthippe', price: 20, fees: 2.75 },
        { ticket_name: 'Quixley junior', membership_member_id: holderMemberId },
      ],
    });
    expect(orderOf(refunded.orderId)).toMatchObject({ order_status: 'refunded', tickets: [{ ticket_status_id: 3 }] });
    expect(await scansSection.collect(person(orgId))).toMatchObject([
      { barcode, result: 'ok', ticket_name: 'Xanthippe' },
      { barcode, result: 'already_scanned' },
    ]);
  });

  it('are erased without a trace; amounts, counters and other customers stay', async () => {
    const { orgId, placed, others } = await givenBuyer();
    const [counted, theirs] = [
      await readSales(table, orgId, someEvent),
      await readOrderWithTickets(table, orgId, others.orderId),
    ];
    for (const trace of traces) expect(await allTextOf(orgId)).toContain(trace);
    expect(await ordersSection.erase(person(orgId))).toBe(2);
    expect(await scansSection.erase(person(orgId))).toBe(2);
    await expectNoTrace(orgId);
    const kept = await readOrderWithTickets(table, orgId, placed.orderId);
    expect(kept).toMatchObject({
      order: { userId: customer.userId, status: 'confirmed', totalMinor: 4_550, emailAddress: null, version: 4 },
      tickets: [{ status: 1, barcode: placed.tickets[0]?.barcode, ticketName: null, faceMinor: 2_500 }, { status: 1 }],
    });
    expect(await readSales(table, orgId, someEvent)).toEqual(counted);
    expect(await readOrderWithTickets(table, orgId, others.orderId)).toEqual(theirs);
    const found = (search: string) =>
      listOrders(table, { orgId, eventId: someEvent, status: undefined, search, range: {}, page: 1, limit: 9 });
    expect((await found('quixley')).orders).toEqual([]);
    expect((await found('ada')).orders).toHaveLength(1);
    expect((await found(String(placed.orderId))).orders).toHaveLength(1);
    expect([await ordersSection.erase(person(orgId)), await scansSection.erase(person(orgId))]).toEqual([0, 0]);
  });

  it('can still be scanned and refunded after customer erase', async () => {
    const { orgId, placed } = await givenBuyer();
    await ordersSection.erase(person(orgId));
    const barcode = placed.tickets[1]?.barcode ?? '';
    const { scan } = await recordScan(table, { orgId, scan: aScan(barcode), nonce: null });
    expect(scan).toMatchObject({ result: 'ok', ticketName: null, emailAddress: null });
    const { orderId } = placed;
    await changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'refunded' });
    await expectNoTraceOfOrders(orgId);
  });

  it('are erased by the next customer erase, wherever an earlier one was interrupted', async () => {
    let write = 0;
    for (let ended = false; !ended; ) {
      write += 1;
      const { orgId } = await givenBuyer();
      const crashing = crashingAt(table, write);
      const failure = await ordersSection
        .erase(person(orgId, crashing))
        .then(() => scansSection.erase(person(orgId, crashing)))
        .then(() => undefined)
        .catch((error: unknown) => error);
      crashing.client.destroy();
      ended = failure === undefined;
      await ordersSection.erase(person(orgId));
      await scansSection.erase(person(orgId));
      await expectNoTrace(orgId);
    }
    expect(write).toBeGreaterThan(3);
  });
});

async function expectNoTraceOfOrders(orgId: string): Promise<void> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  const ofOrders = Items.filter(({ pk }) => /^(ORD|BAR)#/.test(String(pk)) && String(pk).split('#')[1] === orgId);
  const words = await Promise.all([someEvent, someEvent + 512].map((eventId) => orderWords(table, orgId, eventId)));
  const own = [...ofOrders, ...words.flat()];
  for (const trace of traces) expect(JSON.stringify(own).toLowerCase()).not.toContain(trace);
}
