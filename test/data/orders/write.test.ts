import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { readOrder, readOrderByUuid, readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { SideEffectsRefused, type TransactItem } from '../../../shared/data/table/transact.ts';
import { anOrder, aTicket, itemsLike, sian, someEvent } from '../../../tools/fixtures/orders.ts';
import { cancelled, crash, crashAfter, crashBefore, faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let orgId: string;
let orgs = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});
/** Each test has its own organisation, so everything in it belongs to the test. */
const newOrg = (): string => {
  orgs += 1;
  return `org_${orgs}`;
};

describe('writing an order', () => {
  it('writing an order stores the order with its total, its tickets by number, and the counts of each price', async () => {
    orgId = newOrg();
    const placed = anOrder({
      ...sian,
      tickets: [aTicket(), aTicket({ priceIndex: 3, ticketName: 'Ada' }), aTicket({ priceIndex: 3, seatTitle: '17' })],
    });
    const outcome = await writeOrder(table, orgId, placed);
    const { tickets, ...order } = placed;
    expect(outcome).toEqual({
      outcome: 'recorded',
      placed: {
        memberships: [],
        order: {
          ...order,
          updatedUnix: placed.placedUnix,
          totalMinor: 3 * 2_275 + 100,
          refundedMinor: 0,
          refundsElsewhere: [],
          isBooked: false,
          version: 1,
        },
        tickets: tickets.map((ticket, index) => ({
          ...aTicketWithoutSeat,
          ...ticket,
          takesSeat: false,
          discountMinor: [17, 17, 16][index],
          ticketId: placed.orderId + 1 + index,
          orderId: placed.orderId,
          eventId: someEvent,
          status: 1,
          emailAddress: 'sian@example.com',
          updatedUnix: placed.placedUnix,
        })),
      },
    });
    expect(await readOrderWithTickets(table, orgId, placed.orderId)).toEqual('placed' in outcome && outcome.placed);
    expect(await readOrder(table, orgId, placed.orderId)).toMatchObject({ orderUuid: placed.orderUuid });
    expect(await readOrderByUuid(table, orgId, placed.orderUuid.toUpperCase())).toMatchObject({
      orderId: placed.orderId,
    });
    expect(Object.fromEntries(await readSales(table, orgId, someEvent))).toEqual({
      1: { tickets: 1, orders: 1, netMinor: 1_983, grossMinor: 2_258, complimentary: 0, cancelled: 0 },
      3: { tickets: 2, orders: 1, netMinor: 3_967, grossMinor: 4_517, complimentary: 0, cancelled: 0 },
    });
  });

  it('writing an order happens once, however often and with whatever changes it is repeated', async () => {
    orgId = newOrg();
    const placed = anOrder({ tickets: [aTicket(), aTicket()] });
    const again = { ...placed, orderUuid: randomUUID(), placedUnix: placed.placedUnix + 90, tickets: [aTicket()] };
    const outcomes = await Promise.all([placed, again, placed, again].map((each) => writeOrder(table, orgId, each)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['recorded', 'repeated', 'repeated', 'repeated']);
    const kept = await readOrderWithTickets(table, orgId, placed.orderId);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ placed: kept });
    const counted = [...(await readSales(table, orgId, someEvent)).values()];
    expect(counted).toMatchObject([{ tickets: kept?.tickets.length, orders: 1 }]);
    expect(await itemsLike(table, `ORD#${orgId}#`)).toHaveLength(1);
    expect(await itemsLike(table, `BAR#${orgId}#`)).toHaveLength(kept?.tickets.length ?? 0);
  });

  it('writing an order is refused, and writes nothing, when its UUID or a barcode belongs to another order', async () => {
    orgId = newOrg();
    const first = anOrder();
    await writeOrder(table, orgId, first);
    expect(await writeOrder(table, orgId, anOrder({ orderUuid: first.orderUuid }))).toEqual({ outcome: 'uuid_taken' });
    const [{ barcode = '' } = {}] = first.tickets;
    expect(await writeOrder(table, orgId, anOrder({ tickets: [aTicket(), aTicket({ barcode })] }))).toEqual({
      outcome: 'barcodes_taken',
      barcodes: [barcode],
    });
    expect(await itemsLike(table, `ORD#${orgId}#`)).toHaveLength(1);
    // Another organisation may have the same UUID and barcode.
    expect(await writeOrder(table, newOrg(), first)).toMatchObject({ outcome: 'recorded' });
  });

  it.each([
    ['an id that leaves no room for tickets', { orderId: 65 }],
    ['no tickets', { tickets: [] }],
    ['too many tickets', { tickets: Array.from({ length: 64 }, () => aTicket()) }],
    ['a barcode twice', { tickets: [aTicket({ barcode: 'A' }), aTicket({ barcode: 'A' })] }],
    ['no barcode', { tickets: [aTicket({ barcode: '' })] }],
    ['a fraction of a cent', { tickets: [aTicket({ faceMinor: 0.5 })] }],
    ['a date after the end of time', { placedUnix: 10 ** 10 }],
  ])('writing an order with %s is refused', async (_name, changes) => {
    const placed = { ...anOrder(), ...changes };
    expect(await writeOrder(table, 'org_invalid', placed)).toMatchObject({ outcome: 'invalid' });
    expect(await itemsLike(table, 'ORD#org_invalid#')).toEqual([]);
  });

  it('writing an order includes its side effects in the transaction, or writes nothing', async () => {
    orgId = newOrg();
    const marker = (pk: string): TransactItem => ({
      Put: { TableName: table.name, Item: { pk, sk: '#' }, ConditionExpression: 'attribute_not_exists(pk)' },
    });
    const callerItems = () => [marker(`FREE#${orgId}`), marker(`MARK#${orgId}`)];
    expect(await writeOrder(table, orgId, anOrder(), { callerItems })).toMatchObject({ outcome: 'recorded' });
    const refused = await writeOrder(table, orgId, anOrder(), {
      sideEffects: () => [marker(`ALONG#${orgId}`)],
      callerItems: () => [marker(`NEW#${orgId}`), { ...marker(`MARK#${orgId}`), label: 'mark' }],
    });
    expect(refused).toEqual({ outcome: 'refused', refusals: [{ label: 'mark', current: undefined }] });
    expect(await itemsLike(table, `ORD#${orgId}#`)).toHaveLength(1);
    expect(await itemsLike(table, `NEW#${orgId}`)).toEqual([]);
    const taken = { sideEffects: () => [marker(`MARK#${orgId}`)] };
    await expect(writeOrder(table, orgId, anOrder(), taken)).rejects.toThrow(SideEffectsRefused);
  });

  it('writing an order retries conflicts, and can be repeated after a crash before or after the transaction', async () => {
    orgId = newOrg();
    const placed = anOrder();
    await expect(writeOrder(crashBefore(table), orgId, placed)).rejects.toThrow(crash);
    expect(await itemsLike(table, `ORD#${orgId}#`)).toEqual([]);
    const shards = new Set<string>();
    const busy = faultyTable(table, (send, attempt, items) => {
      for (const shard of countedShards(items)) shards.add(shard);
      return attempt <= 3 ? Promise.reject(cancelled('TransactionConflict')) : send();
    });
    expect(await writeOrder(busy, orgId, placed)).toMatchObject({ outcome: 'recorded' });
    // After each conflict it used another shard.
    expect(shards.size).toBeGreaterThan(1);
    const other = anOrder();
    await expect(writeOrder(crashAfter(table), orgId, other)).rejects.toThrow(crash);
    expect(await writeOrder(table, orgId, other)).toMatchObject({ outcome: 'repeated' });
    expect([...(await readSales(table, orgId, someEvent)).values()]).toMatchObject([{ tickets: 2, orders: 2 }]);
  });
});

const aTicketWithoutSeat = {
  sectionLabel: null,
  subSectionTitle: null,
  seatAisle: null,
  seatRow: null,
  seatTitle: null,
};

/** The shards that a transaction counts in: the part after the second in the sort key of a counter. */
function countedShards(items: readonly unknown[]): string[] {
  return JSON.stringify(items).match(/(?<="pk":"CNT#[^"]+","sk":"\d{10}#)\d+/g) ?? [];
}
