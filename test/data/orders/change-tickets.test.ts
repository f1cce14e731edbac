import { beforeAll, describe, expect, it } from 'vitest';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { NewOrder } from '../../../shared/domain/orders/order.ts';
import { anOrder, aTicket, orderWords, sian, someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { crash, crashAfter, crashBefore } from '../../support/faults/faulty-table.ts';
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

describe('refunding and cancelling tickets', () => {
  const sold = async (tickets: number): Promise<NewOrder> => {
    const placed = anOrder({
      ...sian,
      tickets: Array.from({ length: tickets }, (_, index) => aTicket({ priceIndex: 1 + (index % 2) })),
    });
    await writeOrder(table, orgId, placed);
    return placed;
  };

  it('refunding a whole order removes it from the counts of the time it was placed, and counts it as cancelled', async () => {
    orgId = newOrg();
    const { orderId, placedUnix } = await sold(4);
    const outcome = await changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'refunded' });
    expect(outcome).toMatchObject({
      outcome: 'changed',
      change: { after: { order: { status: 'refunded', version: 2 } } },
    });
    const after = await readOrderWithTickets(table, orgId, orderId);
    expect(after).toEqual('change' in outcome && outcome.change.after);
    expect(after?.tickets.map(({ status }) => status)).toEqual([3, 3, 3, 3]);
    const zero = { tickets: 0, orders: 0, netMinor: 0, grossMinor: 0, complimentary: 0, cancelled: 2 };
    expect(Object.fromEntries(await readSales(table, orgId, someEvent))).toEqual({ 1: zero, 2: zero });
    const range = { after: placedUnix - 1, before: placedUnix + 1 };
    expect([...(await readSales(table, orgId, someEvent, range)).values()]).toEqual([]);
    const words = await orderWords(table, orgId, someEvent);
    expect(words.length).toBeGreaterThan(1);
    expect(new Set(words.map(({ st }) => st))).toEqual(new Set(['refunded']));
  });

  it('refunding single tickets leaves the order confirmed until its last ticket is refunded', async () => {
    orgId = newOrg();
    const { orderId } = await sold(3);
    const change = (index: number, to: 'cancelled' | 'refunded') =>
      changeTickets(table, { orgId, orderId }, { tickets: [orderId + index], to });
    expect(await change(2, 'cancelled')).toMatchObject({
      outcome: 'changed',
      change: { after: { order: { status: 'confirmed' } }, changed: [{ ticketId: orderId + 2, status: 2 }] },
    });
    expect(Object.fromEntries(await readSales(table, orgId, someEvent))).toMatchObject({
      1: { tickets: 2, orders: 1, cancelled: 0 },
      2: { tickets: 0, orders: 0, cancelled: 1 },
    });
    expect(await change(1, 'refunded')).toMatchObject({ outcome: 'changed' });
    expect(await change(3, 'refunded')).toMatchObject({ change: { after: { order: { status: 'cancelled' } } } });
    expect((await readOrderWithTickets(table, orgId, orderId))?.tickets.map(({ status }) => status)).toEqual([3, 2, 3]);
    // The order is refunded only when the money of the cancelled ticket is returned, too.
    expect(await change(2, 'refunded')).toMatchObject({ change: { after: { order: { status: 'refunded' } } } });
  });

  it('refunding an order happens once, whatever the number of concurrent or repeated requests', async () => {
    orgId = newOrg();
    const { orderId } = await sold(2);
    const cancelOrder = () => changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'cancelled' });
    const outcomes = (await Promise.all([cancelOrder(), cancelOrder(), cancelOrder()]))
      .map(({ outcome }) => outcome)
      .sort();
    expect(outcomes).toEqual(['changed', 'unchanged', 'unchanged']);
    expect(await cancelOrder()).toMatchObject({ outcome: 'unchanged' });
    expect([...(await readSales(table, orgId, someEvent)).values()]).toMatchObject([
      { cancelled: 1 },
      { cancelled: 1 },
    ]);
  });

  it('refunding a missing order or ticket changes nothing', async () => {
    orgId = newOrg();
    const { orderId } = await sold(2);
    const to = 'refunded' as const;
    expect(await changeTickets(table, { orgId, orderId: 64 }, { tickets: 'all', to })).toEqual({ outcome: 'missing' });
    const tickets = [orderId + 1, orderId + 9];
    expect(await changeTickets(table, { orgId, orderId }, { tickets, to })).toEqual({
      outcome: 'unknown_tickets',
      ticketIds: [orderId + 9],
    });
    expect((await readOrderWithTickets(table, orgId, orderId))?.order.version).toBe(1);
  });

  it('refunding an order again after a crash behind the transaction succeeds', async () => {
    orgId = newOrg();
    const { orderId } = await sold(2);
    const wanted = { tickets: 'all', to: 'refunded' } as const;
    await expect(changeTickets(crashBefore(table), { orgId, orderId }, wanted)).rejects.toThrow(crash);
    await expect(changeTickets(crashAfter(table), { orgId, orderId }, wanted)).rejects.toThrow(crash);
    expect(await changeTickets(table, { orgId, orderId }, wanted)).toMatchObject({ outcome: 'unchanged' });
    expect([...(await readSales(table, orgId, someEvent)).values()]).toMatchObject([{ tickets: 0 }, { tickets: 0 }]);
  });

  it('refunding an imported order counts from its imported status', async () => {
    orgId = newOrg();
    await writeOrder(table, orgId, anOrder({ status: 'refunded', placedUnix: someSpan - 9 * 86_400 }));
    await writeOrder(table, orgId, anOrder({ status: 'pending', tickets: [aTicket(), aTicket({ status: 2 })] }));
    expect([...(await readSales(table, orgId, someEvent)).values()]).toMatchObject([
      { tickets: 1, orders: 1, cancelled: 2 },
    ]);
  });
});
