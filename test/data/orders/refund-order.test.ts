import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { ordersSection } from '../../../admin/person/orders.ts';
import { personOf } from '../../../admin/person/section.ts';
import { readCustomer } from '../../../shared/data/customers/read.ts';
import { readOrder } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { anOrder, aTicket, itemsLike } from '../../../tools/fixtures/orders.ts';
import { chargesOf, checkoutDepsOf, givenOnSale, ticketsOf } from '../../support/baskets.ts';
import { eventsOf, givenPaidOrder, runRefundCrash } from '../../support/faults/refund-crash-scenario.ts';
import { orderCalls as callsOf } from '../../support/order-calls.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const orderCalls = (orgId: string, orderId: number) => callsOf(table, orgId, orderId);

const conflict = (code: string) => ({ code, status: 409 });

describe('refund-order', () => {
  it('refund-order records a refund at once, a worker carries it out, and its event tells the whole truth', async () => {
    const orgId = 'org_refund';
    const { deps, orderId, ticketIds, price } = await givenPaidOrder(table, orgId);
    const [first = 0, second = 0, third = 0] = ticketIds;
    const calls = orderCalls(orgId, orderId);
    const pending = {
      refund_id: `${orderId}-1`,
      order_id: orderId,
      status: 'pending',
      amount: 32.15,
      to_return: 0,
      returned_by: null,
      kept: 0,
      currency: 'AUD',
      ticket_ids: [second],
      membership_member_ids: [],
      reason: 'Rain',
      created: expect.any(Number),
    };
    expect(await calls.refund({ ticket_ids: [second], reason: 'Rain' })).toEqual(pending);
    expect(await calls.refunds()).toMatchObject({ object: 'refunds', has_more: false, data: [pending] });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 0 }]);
    await expect(calls.refund({ ticket_ids: [first, second] })).rejects.toMatchObject(
      conflict('ticket_already_refunded'),
    );
    // A refund of other tickets does not wait for the first one.
    expect(await calls.refund({ ticket_ids: [third] })).toMatchObject({ refund_id: `${orderId}-2`, status: 'pending' });
    expect(await itemsLike(table, `RFD#${orgId}#`)).toHaveLength(2);

    expect(await executeRefunds(deps, orderId)).toBeUndefined();
    expect(await calls.refunds()).toMatchObject({
      data: [{ ...pending, status: 'succeeded' }, { status: 'succeeded' }],
    });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 2 * 3_215 }]);
    await expect(calls.refund({ ticket_ids: [second] })).rejects.toMatchObject(conflict('ticket_already_refunded'));
    expect(await calls.refund()).toMatchObject({ amount: 32.15, ticket_ids: [first], reason: null });
    await expect(calls.refund()).rejects.toMatchObject(conflict('ticket_already_refunded'));
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });

    const [, ...told] = await eventsOf(deps);
    const events = told.map((event) => v.parse(webhookEvents['order.refunded'], event).data);
    expect(events.map((data) => data.refund.ticket_ids)).toEqual([[second], [third], [first]]);
    expect(events[0]).toMatchObject({
      fan: { first_name: expect.any(String) },
      refund: { ...pending, status: 'succeeded' },
      order: {
        order_status: 'confirmed',
        total: 96.45,
        refunded: 32.15,
        tickets: [{ ticket_status_id: 1 }, { ticket_status_id: 3 }, { ticket_status_id: 1 }],
      },
    });
    expect(events[2]).toMatchObject({ order: { order_status: 'refunded', refunded: 96.45, tickets: { length: 3 } } });
  });

  it('refund-order of one ticket by many requests at once records one refund', async () => {
    const orgId = 'org_race';
    const { deps, orderId, ticketIds } = await givenPaidOrder(table, orgId);
    const calls = orderCalls(orgId, orderId);
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => calls.refund({ ticket_ids: [ticketIds[0]] })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await executeRefunds(deps, orderId);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 3_215 }]);
  });

  it('refund-order announces a refund that the provider refuses, and the ticket can be refunded again', async () => {
    const orgId = 'org_refused';
    const { deps, orderId, ticketIds } = await givenPaidOrder(table, orgId);
    const calls = orderCalls(orgId, orderId);
    await calls.refund({ ticket_ids: [ticketIds[0]] });
    const byName = async () => {
      const provider = await deps.payments.current();
      return { ...provider, refund: async () => ({ outcome: 'refused' as const, message: 'No funds.' }) };
    };
    await executeRefunds({ ...deps, payments: { ...deps.payments, byName } }, orderId);
    expect(await calls.refunds()).toMatchObject({ data: [{ status: 'failed' }] });
    const [, failed] = await eventsOf(deps);
    expect(v.parse(webhookEvents['order.refund_failed'], failed).data).toMatchObject({
      refund: { status: 'failed', ticket_ids: [ticketIds[0]], amount: 32.15 },
      order: { order_status: 'confirmed', refunded: 0, tickets: [{ ticket_status_id: 1 }, {}, {}] },
    });
    expect(await calls.refund({ ticket_ids: [ticketIds[0]] })).toMatchObject({ refund_id: `${orderId}-2` });
  });

  it('refund-order of an order that was not paid here changes the tickets at once and keeps a record', async () => {
    const orgId = 'org_elsewhere';
    const deps = checkoutDepsOf(table, orgId);
    const { event, price } = await givenOnSale(table, orgId);
    const ticket = () => aTicket({ priceId: price.priceId, priceIndex: price.index });
    const placed = anOrder({ eventId: event.eventId, tickets: [ticket(), ticket()] });
    await writeOrder(table, orgId, placed);
    const { orderId } = placed;
    const calls = orderCalls(orgId, orderId);
    const refunded = { refund_id: `${orderId}-1`, status: 'succeeded', amount: 22.75, reason: 'Box office' };
    expect(await calls.refund({ ticket_ids: [orderId + 1, orderId + 1], reason: 'Box office' })).toMatchObject(
      refunded,
    );
    await expect(calls.refund({ ticket_ids: [orderId + 1] })).rejects.toMatchObject(
      conflict('ticket_already_refunded'),
    );
    expect(await calls.refund()).toMatchObject({ refund_id: `${orderId}-2`, ticket_ids: [orderId + 2] });
    expect(await calls.refunds()).toMatchObject({ data: [refunded, { amount: 22.75, reason: null }] });
    const types = (await eventsOf(deps)).map(({ type, data }) => [type, data.refund.ticket_ids]);
    expect(types).toEqual([
      ['order.refunded', [orderId + 1]],
      ['order.refunded', [orderId + 2]],
    ]);
  });

  it('refund-order returns the money of cancelled tickets, also of an order that was not paid here', async () => {
    const orgId = 'org_cancelled';
    const { event, price } = await givenOnSale(table, orgId);
    const ticket = () => aTicket({ priceId: price.priceId, priceIndex: price.index });
    const placeOne = async (status: 'confirmed' | 'cancelled') => {
      const tickets = [ticket(), ticket()];
      const placed = anOrder({
        eventId: event.eventId,
        status,
        tickets,
        transactionFeeMinor: 150,
        paymentMethod: 'cash',
      });
      await writeOrder(table, orgId, placed);
      return { ...placed, calls: orderCalls(orgId, placed.orderId) };
    };
    const full = 2 * 22.75 + 1.5;
    const orderOf = (orderId: number) => readOrder(table, orgId, orderId);

    // An order that was cancelled before it was imported.
    const past = await placeOne('cancelled');
    const ticketIds = [past.orderId + 1, past.orderId + 2];
    expect(await past.calls.refund()).toMatchObject({ status: 'succeeded', amount: full, ticket_ids: ticketIds });
    expect(await orderOf(past.orderId)).toMatchObject({ status: 'refunded', refundedMinor: 4_700 });
    await expect(past.calls.refund()).rejects.toMatchObject(conflict('ticket_already_refunded'));

    // One of two tickets was cancelled.
    const half = await placeOne('confirmed');
    await half.calls.cancel({ ticket_ids: [half.orderId + 1] });
    expect(await half.calls.refund()).toMatchObject({ amount: full, ticket_ids: [half.orderId + 1, half.orderId + 2] });
    expect(await orderOf(half.orderId)).toMatchObject({ status: 'refunded', refundedMinor: 4_700 });

    // Refunds of single tickets: the order is refunded with the last one.
    const single = await placeOne('confirmed');
    await single.calls.cancel({ ticket_ids: [single.orderId + 1] });
    expect(await single.calls.refund({ ticket_ids: [single.orderId + 2] })).toMatchObject({ amount: 22.75 });
    expect(await orderOf(single.orderId)).toMatchObject({ status: 'cancelled', refundedMinor: 2_275 });
    expect(await single.calls.refund({ ticket_ids: [single.orderId + 1] })).toMatchObject({ amount: full - 22.75 });
    expect(await orderOf(single.orderId)).toMatchObject({ status: 'refunded', refundedMinor: 4_700 });
  });

  it('the refunds of an order are exported, and their reasons erased, with its buyer', async () => {
    const orgId = 'org_erased';
    const { deps, orderId, ticketIds } = await givenPaidOrder(table, orgId);
    const calls = orderCalls(orgId, orderId);
    await calls.refund({ ticket_ids: [ticketIds[0]], reason: 'Grace was ill' });
    const userId = (await readOrder(table, orgId, orderId))?.userId ?? 0;
    const customer = await readCustomer(table, orgId, userId, { consistent: true });
    if (customer === undefined) throw new Error('The order has no customer.');
    const run = { clock: deps.clock, requestId: 'cli_1' };
    const person = await personOf(table, orgId, customer, run);
    // The export contains the refunds of the orders.
    expect(await ordersSection.collect(person)).toMatchObject([
      { order_id: orderId, refunds: [{ status: 'pending', amount: 32.15, reason: 'Grace was ill' }] },
    ]);
    expect(await ordersSection.erase(person)).toBe(1);
    expect(await calls.refunds()).toMatchObject({ data: [{ status: 'pending', reason: null }] });
    expect(await ordersSection.erase(person)).toBe(0);
  });

  it('refund-order refuses tickets of other orders and orders of others', async () => {
    const { orderId } = await givenPaidOrder(table, 'org_unknown');
    const calls = orderCalls('org_unknown', orderId);
    const missing = { code: 'resource_missing', status: 400, details: [{ param: 'ticket_ids' }] };
    await expect(calls.refund({ ticket_ids: [orderId + 60] })).rejects.toMatchObject(missing);
    await expect(calls.cancel({ ticket_ids: [orderId + 60] })).rejects.toMatchObject(missing);
    const foreign = orderCalls('org_refund', orderId);
    for (const call of [() => foreign.refund(), () => foreign.cancel(), () => foreign.refunds()]) {
      await expect(call()).rejects.toMatchObject({ code: 'resource_not_found', status: 404 });
    }
  });

  it('a refund by API that crashes is completed by the sweeper, or by a repeated request', async () => {
    for (const at of [4, 7, 9]) {
      const recoverBy = at % 2 === 0 ? 'sweep' : 'repeat';
      const crash = { table, orgId: `org_c${at}`, crashes: { at, when: 'after' }, recoverBy } as const;
      expect(await runRefundCrash(crash), `call ${at}`).toBe(true);
    }
  });
});

describe('cancel-order', () => {
  it('cancel-order invalidates tickets, returns the order, and says which tickets and which amount', async () => {
    const orgId = 'org_cancel';
    const { deps, orderId, ticketIds, price } = await givenPaidOrder(table, orgId);
    const [first = 0, second = 0, third = 0] = ticketIds;
    const calls = orderCalls(orgId, orderId);
    expect(await calls.cancel({ ticket_ids: [first] })).toMatchObject({
      order_status: 'confirmed',
      event_title: expect.any(String),
      refunded: 0,
      tickets: [{ ticket_status_id: 2 }, { ticket_status_id: 1 }, { ticket_status_id: 1 }],
    });
    await expect(calls.cancel({ ticket_ids: [first, second] })).rejects.toMatchObject(conflict('ticket_not_active'));
    expect(await calls.cancel()).toMatchObject({ order_status: 'cancelled' });
    await expect(calls.cancel()).rejects.toMatchObject(conflict('ticket_not_active'));
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 0 }]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
    const [, ...told] = await eventsOf(deps);
    const events = told.map((event) => v.parse(webhookEvents['order.cancelled'], event).data);
    expect(events).toMatchObject([
      { cancelled_tickets: [{ ticket_id: first }], amount: 32.15, order: { tickets: { length: 3 } } },
      {
        cancelled_tickets: [{ ticket_id: second }, { ticket_id: third }],
        amount: 64.3,
        order: { order_status: 'cancelled' },
      },
    ]);
    // The money can still be returned.
    expect(await calls.refund()).toMatchObject({ amount: 96.45, ticket_ids: ticketIds });
  });
});
