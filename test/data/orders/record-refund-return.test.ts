import { beforeAll, describe, expect, it } from 'vitest';
import { readSettlement } from '../../../shared/data/counters/settlement.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { netMinor, totalSettled } from '../../../shared/domain/journal/settlement.ts';
import { recordReturn } from '../../../shared/sales/refunds/record-return.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  type TestCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { givenCounterSale } from '../../support/counter.ts';
import { crashingDeps } from '../../support/faults/crashing-deps.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { cancelWith, finishJob } from '../../support/jobs.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const staff = ['orders:write', 'counter'] as const;
const callsOf = ({ orgId }: TestCheckoutDeps, orderId: number) => orderCalls(table, orgId, orderId, staff);
const orderOf = async ({ orgId }: TestCheckoutDeps, orderId: number) => {
  const placed = await readOrderWithTickets(table, orgId, orderId);
  return [placed?.order.status, placed?.order.refundedMinor, ...(placed?.tickets.map(({ status }) => status) ?? [])];
};
const kindsOf = async ({ orgId }: TestCheckoutDeps, orderId: number) =>
  (await entriesOfOrder(table, orgId, orderId)).map(({ kind }) => kind);

/** Two tickets that were sold for cash. */
async function givenSold() {
  const deps = newCheckoutDeps(table);
  const { event, price } = await givenOnSale(table, deps.orgId, { capacity: 10 });
  const { placed } = await givenCounterSale(deps, price, { quantity: 2 });
  return { deps, event, price, orderId: placed.order.orderId };
}

/** The same, and a refund of all of it that began where nobody hands money over. */
async function givenAwaited(keep = 0) {
  const sold = await givenSold();
  const { deps, orderId } = sold;
  const request = { orderId, tickets: 'all', reason: 'Storm', returnedBy: 'later', keep } as const;
  expect(await requestRefund(deps, request, () => [])).toMatchObject({ outcome: 'recorded' });
  return sold;
}

const inCash = { kind: 'cash', station: 'till 1', operator: '7', reference: null } as const;

describe('record-refund-return', () => {
  it('books what was paid at the counter for a cancelled event when staff have handed it over', async () => {
    const { deps, event, price, orderId } = await givenSold();
    const { basketId: online } = await givenBasket(deps, price, 1);
    await checkOutWith(deps, online);
    deps.nowUnix += 5;
    await cancelWith(deps, event.eventId, 'all');
    expect(await finishJob(deps, event.eventId)).toMatchObject({ status: 'done', done: 2, failed: 0 });

    // The tickets have ended, and the money is still with the organisation.
    expect(await orderOf(deps, online)).toEqual(['refunded', 3_215, 3]);
    expect(await orderOf(deps, orderId)).toEqual(['cancelled', 0, 2, 2]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
    const calls = callsOf(deps, orderId);
    const awaited = { status: 'pending', amount: 64.3, to_return: 64.3, returned_by: null, reason: 'Storm' };
    expect(await calls.refunds()).toMatchObject({ data: [awaited] });
    expect(await kindsOf(deps, orderId)).toEqual(['sale']);
    expect(totalSettled(await readSettlement(table, deps.orgId, price.eventId)).keptMinor).toBe(6_430);
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
    const taken = { code: 'ticket_already_refunded', status: 409 };
    await expect(calls.refund({ returned_by: 'cash' })).rejects.toMatchObject(taken);

    const handed = { returned_by: 'terminal', station: 'till 2', operator: '9' };
    expect(await calls.returned(1, handed)).toMatchObject({
      refund_id: `${orderId}-1`,
      status: 'succeeded',
      amount: 64.3,
      to_return: 0,
      returned_by: 'terminal',
    });
    expect(await orderOf(deps, orderId)).toEqual(['refunded', 6_430, 3, 3]);
    expect((await entriesOfOrder(table, deps.orgId, orderId)).at(-1)).toMatchObject({
      kind: 'refund',
      money: { terminal: -6_430 },
      tender: { kind: 'terminal', station: 'till 2', operator: '9', reference: null },
    });
    const settled = totalSettled(await readSettlement(table, deps.orgId, price.eventId));
    expect([settled.keptMinor, netMinor(settled)]).toEqual([0, 0]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
    const events = (await eventsOf(deps)).filter(({ data }) => data.order?.order_id === orderId);
    expect(events.map(({ type }) => type).sort()).toEqual(['order.cancelled', 'order.completed', 'order.refunded']);
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
  });

  it('is recorded once: a repetition, and the second of two at the same moment, are 409', async () => {
    const { deps, orderId } = await givenAwaited();
    const calls = callsOf(deps, orderId);
    const answers = await Promise.allSettled([calls.returned(1), calls.returned(1), calls.returned(1)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(calls.returned(1)).rejects.toMatchObject({ code: 'refund_not_awaited', status: 409 });
    expect(await kindsOf(deps, orderId)).toEqual(['sale', 'refund']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('returns the rest of what is kept of each ticket', async () => {
    const { deps, orderId } = await givenAwaited(5);
    const calls = callsOf(deps, orderId);
    expect(await calls.refunds()).toMatchObject({ data: [{ amount: 54.3, to_return: 54.3, kept: 10 }] });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await calls.returned(1);
    expect(await orderOf(deps, orderId)).toEqual(['refunded', 5_430, 3, 3]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('begins for tickets that were cancelled before, without announcing them again', async () => {
    const { deps, orderId } = await givenSold();
    await callsOf(deps, orderId).cancel();
    const request = { orderId, tickets: 'all', reason: null, returnedBy: 'later' } as const;
    expect(await requestRefund(deps, request, () => [])).toMatchObject({ outcome: 'recorded' });
    expect(await requestRefund(deps, request, () => [])).toMatchObject({ outcome: 'already_refunded' });
    expect((await eventsOf(deps)).map(({ type }) => type)).toEqual(['order.completed', 'order.cancelled']);
    await callsOf(deps, orderId).returned(1);
    expect(await orderOf(deps, orderId)).toEqual(['refunded', 6_430, 3, 3]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('does not find another refund, and refuses one that the provider returns', async () => {
    const { deps, price, orderId } = await givenSold();
    const missing = { code: 'resource_not_found', status: 404 };
    await expect(callsOf(deps, orderId).returned(1)).rejects.toMatchObject(missing);
    await expect(orderCalls(table, 'org_other', orderId, staff).returned(1)).rejects.toMatchObject(missing);
    const { basketId } = await givenBasket(deps, price, 1);
    await checkOutWith(deps, basketId);
    const calls = callsOf(deps, basketId);
    await calls.refund();
    await expect(calls.returned(1)).rejects.toMatchObject({ code: 'refund_not_awaited' });
  });

  it('that crashes at any call is recorded once by the repetition', async () => {
    for (const [at, when] of [1, 3, 5, 7, 9].flatMap((call) => [[call, 'before'] as const, [call, 'after'] as const])) {
      const { deps, orderId } = await givenAwaited();
      const { crashPoint, crashing } = await crashingDeps(deps, { at, when });
      const wanted = { orderId, number: 1, returnedBy: inCash };
      await crashPoint.resultOf(recordReturn(crashing, wanted, () => []));
      const repeated = await recordReturn(deps, wanted, () => []);
      expect(['returned', 'not_awaited']).toContain(repeated.outcome);
      expect(await kindsOf(deps, orderId), `call ${at} ${when}`).toEqual(['sale', 'refund']);
      expect(await findingsOf(table, deps.orgId), `call ${at} ${when}`).toEqual([]);
    }
  });
});
