import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as settlementOf } from '../../../functions/api/events/event-settlement.ts';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { eventSettlement } from '../../../shared/operations/events/event-settlement.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { recordFailedRefund } from '../../../shared/sales/refunds/record-failed-refund.ts';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  chargesOf,
  checkOutWith,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { failInSandbox, moneyOf } from '../../support/failed-refunds.ts';
import { eventsOf, givenPaidOrder, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweepWhenDue } from '../../support/plans.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  await givenStackSecret();
  ({ table } = await createTestTable());
});

const aboveCost = { code: 'parameter_invalid', status: 400, details: [{ param: 'keep' }] };
const callsOf = ({ orgId }: TestCheckoutDeps, orderId: number) => orderCalls(table, orgId, orderId);
const shown = ({ orgId, nowUnix }: TestCheckoutDeps, orderId: number) =>
  callHandler(
    retrieveOrder,
    retrieve,
    { params: { order_id: String(orderId) } },
    { table, orgId, nowMs: nowUnix * 1000 },
  );
const orderOf = async ({ orgId }: TestCheckoutDeps, orderId: number) => {
  const placed = await readOrderWithTickets(table, orgId, orderId);
  if (placed === undefined) throw new Error('The order is missing.');
  return placed;
};
const settled = ({ orgId }: TestCheckoutDeps, eventId: number) =>
  callHandler(
    eventSettlement,
    settlementOf,
    { params: { event_id: String(eventId) }, query: {} },
    {
      table,
      orgId,
    },
  );

describe('refund-order with keep', () => {
  it('returns each ticket less what is kept, which stays revenue in journal, settlement and event', async () => {
    const { deps, orderId, ticketIds, price } = await givenPaidOrder(table, 'org_keep');
    const calls = callsOf(deps, orderId);
    const [first = 0, second = 0, third = 0] = ticketIds;
    expect(await calls.refund({ ticket_ids: [first, second], keep: 5 })).toMatchObject({
      status: 'pending',
      amount: 54.3,
      kept: 10,
    });
    await executeRefunds(deps, orderId);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 5_430 }]);
    const { order, tickets } = await orderOf(deps, orderId);
    expect(order).toMatchObject({ refundedMinor: 5_430, keptMinor: 1_000 });
    expect(tickets.map(({ keptMinor }) => keptMinor)).toEqual([500, 500, undefined]);
    expect(await shown(deps, orderId)).toMatchObject({ total: 96.45, refunded: 54.3, kept: 10 });
    expect((await entriesOfOrder(table, deps.orgId, orderId)).at(-1)).toMatchObject({
      kind: 'refund',
      prices: [{ quantity: -2, netMinor: -5_000, serviceFeeMinor: -390, serviceTaxMinor: -40 }],
      transactionFeeMinor: 0,
      money: { card: -5_430 },
    });
    expect(await settled(deps, price.eventId)).toMatchObject({
      total: { gross: 90, refunds: 54.3, kept: 10, net: 42.15, tickets: 1 },
    });
    const [, event] = await eventsOf(deps);
    expect(v.parse(webhookEvents['order.refunded'], event).data.refund).toMatchObject({ amount: 54.3, kept: 10 });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);

    // The last refund returns what is left, and nothing of what was kept.
    expect(await calls.refund()).toMatchObject({ amount: 32.15, kept: 0, ticket_ids: [third] });
    await executeRefunds(deps, orderId);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 8_645 }]);
    expect((await orderOf(deps, orderId)).order).toMatchObject({ status: 'refunded', refundedMinor: 8_645 });
    expect(await settled(deps, price.eventId)).toMatchObject({ total: { kept: 10, net: 10, tickets: 0 } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('keeps at most what each unit cost: more is 400, names keep and changes nothing', async () => {
    const { deps, orderId, ticketIds } = await givenPaidOrder(table, 'org_keep_most');
    const calls = callsOf(deps, orderId);
    const before = await orderOf(deps, orderId);
    for (const keep of [32.16, 1_000, 0.001]) {
      await expect(calls.refund({ ticket_ids: [ticketIds[0]], keep })).rejects.toMatchObject(aboveCost);
    }
    expect(await orderOf(deps, orderId)).toEqual(before);
    expect(await calls.refunds()).toMatchObject({ data: [] });
    // All of it may be kept: then the ticket ends and nothing is returned.
    expect(await calls.refund({ ticket_ids: [ticketIds[0]], keep: 32.15 })).toMatchObject({ amount: 0, kept: 32.15 });
    await executeRefunds(deps, orderId);
    expect(await calls.refunds()).toMatchObject({ data: [{ status: 'succeeded', amount: 0 }] });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 0 }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('keeps of the price first, then of the fees, and of a cancelled ticket too', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId, { capacity: 5, taxRate: 10 });
    const { basketId: orderId } = await givenBasket(deps, price, 2);
    expect(await checkOutWith(deps, orderId)).toMatchObject({ outcome: 'confirmed' });
    const calls = callsOf(deps, orderId);
    await calls.cancel({ ticket_ids: [orderId + 1] });
    expect(await calls.refund({ keep: 31 })).toMatchObject({ amount: 2.3, kept: 62 });
    await executeRefunds(deps, orderId);
    // Nothing of the price is returned, and none of the tax in it.
    expect((await entriesOfOrder(table, deps.orgId, orderId)).at(-1)).toMatchObject({
      prices: [{ quantity: -2, netMinor: 0, taxMinor: 0, serviceFeeMinor: -190, serviceTaxMinor: -40 }],
      money: { card: -230 },
    });
    expect(await settled(deps, price.eventId)).toMatchObject({ total: { kept: 62, net: 62, tax: 5.46, tickets: 0 } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('keeps whole steps of a currency that cards return in steps of ten', async () => {
    const deps = newCheckoutDeps(table);
    const { eventId } = await givenEvent(table, deps.orgId, { startUnix: farFutureUnix, currency: 'KWD' });
    const { categoryId } = await givenPriceCategory(table, deps.orgId, { eventId });
    const amounts = { priceMinor: 12_500, serviceFeeMinor: 250, serviceTaxMinor: 10, currency: 'KWD' };
    const price = await givenPrice(table, deps.orgId, { eventId, categoryId, ...amounts });
    const { basketId: orderId } = await givenBasket(deps, price, 2);
    expect(await checkOutWith(deps, orderId)).toMatchObject({ outcome: 'confirmed' });
    const calls = callsOf(deps, orderId);
    await expect(calls.refund({ keep: 0.005 })).rejects.toMatchObject(aboveCost);
    const { totalMinor } = (await orderOf(deps, orderId)).order;
    expect(await calls.refund({ keep: 0.01 })).toMatchObject({ amount: (totalMinor - 20) / 1000, kept: 0.02 });
    await executeRefunds(deps, orderId);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: totalMinor - 20 }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('that the provider refuses leaves the order as it was', async () => {
    const { deps, orderId, ticketIds } = await givenPaidOrder(table, 'org_keep_refused');
    const calls = callsOf(deps, orderId);
    const before = await orderOf(deps, orderId);
    await calls.refund({ ticket_ids: [ticketIds[0]], keep: 5 });
    const byName = async () => {
      const provider = await deps.payments.current();
      return { ...provider, refund: async () => ({ outcome: 'refused' as const, message: 'No funds.' }) };
    };
    await executeRefunds({ ...deps, payments: { ...deps.payments, byName } }, orderId);
    expect(await orderOf(deps, orderId)).toEqual(before);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    // Nothing was kept by the refund that failed.
    expect(await calls.refund()).toMatchObject({ amount: 96.45, kept: 0 });
  });

  it('that fails days later is taken back with what it kept, and its tickets can be refunded again', async () => {
    const { deps, orderId } = await givenPaidOrder(table, 'org_keep_failed');
    const calls = callsOf(deps, orderId);
    const { price } = await soldIn(deps, orderId);
    await calls.refund({ keep: 5 });
    await executeRefunds(deps, orderId);
    const failed = { key: `${orderId}-refund-1`, amountMinor: 8_145 };
    await failInSandbox(deps, failed);
    for (let time = 0; time < 2; time += 1) await recordFailedRefund(deps, { basketId: orderId, number: 1, failed });
    const { order, tickets } = await orderOf(deps, orderId);
    expect(order).toMatchObject({ status: 'cancelled', refundedMinor: 0 });
    expect([order.keptMinor, ...tickets.map(({ keptMinor }) => keptMinor)]).toEqual(Array(4).fill(undefined));
    expect(await moneyOf(deps, orderId)).toEqual([
      ['sale', 9_645],
      ['refund', -8_145],
      ['refund_failed', 8_145],
    ]);
    expect(await settled(deps, price)).toMatchObject({ total: { refunds: 0, kept: 96.45, net: 96.45 } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    expect(await calls.refund({ keep: 2 })).toMatchObject({ amount: 90.45, kept: 6 });
    await executeRefunds(deps, orderId);
    expect(await settled(deps, price)).toMatchObject({ total: { refunds: 90.45, kept: 6, net: 6 } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of a membership in instalments keeps at most what was paid', async () => {
    const deps = newCheckoutDeps(table);
    const { order, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const { orderId } = order;
    await sweepWhenDue(deps, planId, 2);
    const all = { orderId, tickets: 'all', members: 'all' } as const;
    // 80.18 of 240.50 were paid.
    const tooMuch = { outcome: 'keep_above_cost', mostMinor: 8_018 };
    expect(await refundOrder(deps, { ...all, keep: 80.19 })).toMatchObject(tooMuch);
    expect(statusesOf(await planOf(deps, planId))).toEqual(['paid', 'paid', ...Array(4).fill('planned')]);
    const planned = { amountMinor: 3_018, keptMinor: 5_000 };
    expect(await refundOrder(deps, { ...all, keep: 50 })).toMatchObject({ refund: planned });
    // The newest charge first.
    expect((await chargesOf(deps)).map(({ refundedMinor }) => refundedMinor).sort()).toEqual([0, 3_018]);
    expect((await orderOf(deps, orderId)).order).toMatchObject({
      status: 'refunded',
      refundedMinor: 3_018,
      keptMinor: 5_000,
      writtenOffMinor: 16_032,
    });
    expect((await entriesOfOrder(table, deps.orgId, orderId)).find(({ kind }) => kind === 'refund')).toMatchObject({
      types: [{ quantity: -1, netMinor: -19_050 }],
      money: { card: -3_018, receivable: -16_032 },
    });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of an order that was not paid here records what is kept', async () => {
    const orgId = 'org_keep_elsewhere';
    const deps = checkoutDepsOf(table, orgId);
    const { event, price } = await givenOnSale(table, orgId);
    const ticket = () => aTicket({ priceId: price.priceId, priceIndex: price.index });
    const placed = anOrder({ eventId: event.eventId, tickets: [ticket(), ticket()], transactionFeeMinor: 150 });
    await writeOrder(table, orgId, placed);
    const { orderId } = placed;
    const calls = callsOf(deps, orderId);
    await expect(calls.refund({ keep: 22.76 })).rejects.toMatchObject(aboveCost);
    expect(await calls.refund({ ticket_ids: [orderId + 1], keep: 2.75 })).toMatchObject({ amount: 20, kept: 2.75 });
    expect(await calls.refund({ keep: 2.75 })).toMatchObject({ amount: 21.5, kept: 2.75, status: 'succeeded' });
    expect(await calls.refunds()).toMatchObject({ data: [{ kept: 2.75 }, { kept: 2.75 }] });
    expect(await shown(deps, orderId)).toMatchObject({ total: 47, refunded: 41.5, kept: 5.5 });
  });
});

async function soldIn(deps: TestCheckoutDeps, orderId: number) {
  return { price: (await orderOf(deps, orderId)).order.eventId };
}
