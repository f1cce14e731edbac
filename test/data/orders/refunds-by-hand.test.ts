import { beforeAll, describe, expect, it } from 'vitest';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { readSettlement } from '../../../shared/data/counters/settlement.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { netMinor, totalSettled } from '../../../shared/domain/journal/settlement.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  checkoutDepsOf,
  givenOnSale,
  newCheckoutDeps,
  type TestCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { cash, givenCounterSale } from '../../support/counter.ts';
import { eventsOf, givenPaidOrder } from '../../support/faults/refund-crash-scenario.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const staff = ['orders:write', 'counter'] as const;
const callsOf = ({ orgId }: TestCheckoutDeps, orderId: number) => orderCalls(table, orgId, orderId, staff);
const orderOf = ({ orgId }: TestCheckoutDeps, orderId: number) => readOrderWithTickets(table, orgId, orderId);

/** Three tickets that were sold for cash. */
async function givenSold(capacity = 10) {
  const deps = newCheckoutDeps(table);
  const { price } = await givenOnSale(table, deps.orgId, { capacity, taxRate: 10 });
  const { placed } = await givenCounterSale(deps, price, { quantity: 3 });
  return { deps, price, orderId: placed.order.orderId };
}

describe('refund-order of what a tender has paid', () => {
  it('is done at once by returned_by, and the journal says who returned what from where', async () => {
    const { deps, price, orderId } = await givenSold();
    const calls = callsOf(deps, orderId);
    const handed = { returned_by: 'bank_transfer', station: 'office', operator: '12', reference: ' SEPA-9 ' };
    const answer = await calls.refund({ ticket_ids: [orderId + 1], ...handed });
    expect(answer).toMatchObject({ status: 'succeeded', amount: 32.15, to_return: 0, returned_by: 'bank_transfer' });
    expect((await entriesOfOrder(table, deps.orgId, orderId)).at(-1)).toMatchObject({
      kind: 'refund',
      money: { bank: -3_215 },
      tender: { kind: 'bank_transfer', station: 'office', operator: '12', reference: 'SEPA-9' },
    });
    expect((await orderOf(deps, orderId))?.tickets.map(({ status }) => status)).toEqual([3, 1, 1]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 8, sold: 2 });
    expect((await eventsOf(deps)).map(({ type }) => type)).toEqual(['order.completed', 'order.refunded']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);

    const kept = await calls.refund({ returned_by: 'cash', keep: 2 });
    expect(kept).toMatchObject({ amount: 60.3, kept: 4, returned_by: 'cash' });
    const entries = await entriesOfOrder(table, deps.orgId, orderId);
    expect(entries.map(({ money }) => money)).toEqual([{ cash: 9_645 }, { bank: -3_215 }, { cash: -6_030 }]);
    expect(await calls.refunds()).toMatchObject({
      data: [{ returned_by: 'bank_transfer' }, { returned_by: 'cash', kept: 4 }],
    });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('without returned_by is 400, and without the scope counter 403: nothing changes', async () => {
    const { deps, orderId } = await givenSold();
    const before = await orderOf(deps, orderId);
    const missing = { code: 'parameter_missing', status: 400, details: [{ param: 'returned_by' }] };
    await expect(callsOf(deps, orderId).refund()).rejects.toMatchObject(missing);
    const online = orderCalls(table, deps.orgId, orderId);
    await expect(online.refund()).rejects.toMatchObject(missing);
    const forbidden = { code: 'scope_missing', status: 403, details: [{ param: 'returned_by' }] };
    await expect(online.refund({ returned_by: 'cash' })).rejects.toMatchObject(forbidden);
    expect(await orderOf(deps, orderId)).toEqual(before);
  });

  it('needs nobody to hand money over if all of it is kept', async () => {
    const { deps, orderId } = await givenSold();
    expect(await callsOf(deps, orderId).refund({ keep: 32.15 })).toMatchObject({
      status: 'succeeded',
      amount: 0,
      kept: 96.45,
      returned_by: null,
    });
    expect((await entriesOfOrder(table, deps.orgId, orderId)).at(-1)).toMatchObject({ kind: 'refund', money: {} });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of one ticket by many requests at once returns its money once', async () => {
    const { deps, orderId } = await givenSold();
    const refund = () => callsOf(deps, orderId).refund({ ticket_ids: [orderId + 1], returned_by: 'cash' });
    const answers = await Promise.allSettled([refund(), refund(), refund(), refund()]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const entries = await entriesOfOrder(table, deps.orgId, orderId);
    expect(entries.map(({ kind }) => kind)).toEqual(['sale', 'refund']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('leaves revenue, statistics and settlement: a refunded or cancelled sale for cash counts nowhere as sold', async () => {
    const { deps, price, orderId } = await givenSold();
    const figures = async () => {
      const sales = [...(await readSales(table, deps.orgId, price.eventId)).values()];
      const settled = totalSettled(await readSettlement(table, deps.orgId, price.eventId));
      return [
        sales.reduce((sum, { tickets }) => sum + tickets, 0),
        sales.reduce((sum, { grossMinor }) => sum + grossMinor, 0),
        settled.tickets,
        netMinor(settled) - settled.keptMinor - settled.withheldMinor,
      ];
    };
    expect(await figures()).toEqual([3, 9_645, 3, 9_645]);
    const calls = callsOf(deps, orderId);
    await calls.cancel({ ticket_ids: [orderId + 1] });
    expect(await figures()).toEqual([2, 6_430, 2, 6_430]);
    await calls.refund({ ticket_ids: [orderId + 2], returned_by: 'cash' });
    expect(await figures()).toEqual([1, 3_215, 1, 3_215]);
    // What was cancelled is refunded too.
    await calls.refund({ returned_by: 'cash' });
    expect(await figures()).toEqual([0, 0, 0, 0]);
    const money = (await entriesOfOrder(table, deps.orgId, orderId)).map((entry) => entry.money.cash ?? 0);
    expect(money.reduce((sum, amount) => sum + amount, 0)).toBe(0);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is for nothing that the payment provider charged', async () => {
    const { deps, orderId } = await givenPaidOrder(table, 'org_charged');
    const needless = { code: 'parameter_conflict', status: 400, details: [{ param: 'returned_by' }] };
    await expect(callsOf(deps, orderId).refund({ returned_by: 'cash' })).rejects.toMatchObject(needless);
    expect(await callsOf(deps, orderId).refund()).toMatchObject({ status: 'pending', to_return: 0, returned_by: null });
  });

  it('of an imported order stays as it was: it is done at once, whoever returns the money', async () => {
    const orgId = 'org_imported';
    const deps = checkoutDepsOf(table, orgId);
    const { event, price } = await givenOnSale(table, orgId);
    const tickets = [aTicket({ priceId: price.priceId, priceIndex: price.index })];
    const placed = anOrder({ eventId: event.eventId, tickets, paymentMethod: cash.kind });
    await writeOrder(table, orgId, placed);
    const calls = orderCalls(table, orgId, placed.orderId);
    expect(await calls.refund()).toMatchObject({ status: 'succeeded', amount: 22.75, returned_by: null, to_return: 0 });
    expect(await entriesOfOrder(table, orgId, placed.orderId)).toEqual([]);
    expect((await eventsOf(deps)).map(({ type }) => type)).toEqual(['order.refunded']);
  });
});
