import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSales } from '../../shared/data/counters/sales.ts';
import { generateOrderId } from '../../shared/data/orders/generate-ids.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { updateOrganisation } from '../../shared/data/organisations/organisation.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { webhookEvents } from '../../shared/operations/schemas/webhook-event.ts';
import { stripeProvider } from '../../shared/payments/stripe.ts';
import { openStripeClient } from '../../shared/payments/stripe-client.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { anOrder } from '../../tools/fixtures/orders.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../support/admin.ts';
import {
  chargesOf,
  checkOutWith,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  noonUnix,
  ticketsOf,
} from '../support/baskets.ts';
import { eventsOf, givenPaidOrder, refundOrder, runRefundCrash } from '../support/faults/refund-crash-scenario.ts';
import { StripeDouble } from '../support/stripe-double.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
let run: LocalRun;
let admin: Admin;
beforeAll(async () => {
  ({ table } = await createTestTable());
  run = givenLocalRun(table);
  let looks = 0;
  admin = adminTool({ localFile: run.file, nowMs: () => (noonUnix + 1) * 1000 + looks++ });
});
afterAll(() => run.remove());

async function tool(...argv: readonly string[]) {
  const { exitCode, stdout, stderr } = await admin(
    'order',
    ...argv,
    ...(argv[0] === 'show' ? [] : ['--yes']),
    '--local',
    '--json',
  );
  return { exitCode, ...JSON.parse(exitCode === 0 ? stdout : stderr) };
}

describe('admin order refund', () => {
  it('order refund returns everything once: money, statuses, counters, stock, one event', async () => {
    const { deps, orderId, price, ticketIds } = await givenPaidOrder(table, 'org_whole');
    const refunded = await tool('refund', 'org_whole', String(orderId));
    expect(refunded).toMatchObject({
      exitCode: 0,
      outcome: 'refunded',
      order_status: 'refunded',
      refunds: [{ amount: 96.45, state: 'done', ticket_ids: ticketIds }],
      tickets: ticketIds.map((ticket_id) => ({ ticket_id, ticket_status: 'refunded' })),
    });
    expect(await tool('refund', 'org_whole', String(refunded.order_uuid))).toMatchObject({ outcome: 'unchanged' });
    expect(await chargesOf(deps)).toMatchObject([{ status: 'paid', amountMinor: 9_645, refundedMinor: 9_645 }]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
    expect((await readSales(table, 'org_whole', price.eventId)).get(price.index)).toMatchObject({
      cancelled: 3,
      netMinor: 0,
    });
    const [, event, ...others] = await eventsOf(deps);
    expect(others).toEqual([]);
    expect(v.parse(webhookEvents['order.refunded'], event).data.order).toMatchObject({
      order_id: orderId,
      order_status: 'refunded',
      tickets: { length: 3 },
    });
  });

  it('order refund accepts single tickets, which its event names, until none is left', async () => {
    const { deps, orderId, ticketIds } = await givenPaidOrder(table, 'org_some');
    const [first = 0, second = 0, third = 0] = ticketIds;
    const refund = (...ids: number[]) => tool('refund', 'org_some', String(orderId), '--tickets', ids.join(','));
    expect(await refund(second)).toMatchObject({ outcome: 'refunded', order_status: 'confirmed' });
    expect(await refund(second, third)).toMatchObject({ exitCode: 1, error: { code: 'ticket_already_refunded' } });
    expect(await refund(third)).toMatchObject({ outcome: 'refunded', order_status: 'confirmed' });
    expect(await refund(third)).toMatchObject({ outcome: 'unchanged' });
    expect(await refund(7)).toMatchObject({ exitCode: 1, error: { code: 'ticket_missing' } });
    expect(await refund(first)).toMatchObject({ outcome: 'refunded', order_status: 'refunded' });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 9_645 }]);
    const [, ...events] = await eventsOf(deps);
    expect(events.map(({ data }) => data.refund.ticket_ids)).toEqual([[second], [third], [first]]);
    const statuses = events.map(({ data }) =>
      data.order.tickets.map((ticket: { ticket_status_id: number }) => ticket.ticket_status_id),
    );
    expect(statuses).toEqual([
      [1, 3, 1],
      [1, 3, 3],
      [3, 3, 3],
    ]);
  });

  it('concurrent order refunds refund once', async () => {
    const { deps, orderId, ticketIds, price } = await givenPaidOrder(table, 'org_many');
    const results = await Promise.all([
      refundOrder(deps, { orderId, tickets: 'all' }),
      refundOrder(deps, { orderId, tickets: ticketIds.slice(0, 2) }),
      refundOrder(deps, { orderId, tickets: ticketIds.slice(1) }),
      sweepBaskets(deps),
    ]);
    expect(results).toHaveLength(4);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 9_645 }]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
    expect((await readOrderWithTickets(table, deps.orgId, orderId))?.order.status).toBe('refunded');
  });

  it('an order refund of a Stripe payment is stored by the CLI and executed by the sweeper, which alone has the key', async () => {
    const double = new StripeDouble();
    const stripe = stripeProvider(await openStripeClient('sk_test_double', await double.start()));
    await givenOrganisation(table, 'org_stripe');
    await updateOrganisation(table, 'org_stripe', { paymentAccountId: 'acct_club' });
    const deps = checkoutDepsOf(table, 'org_stripe', { around: () => stripe });
    const { price } = await givenOnSale(table, 'org_stripe');
    const { basketId } = await givenBasket(deps, price);
    await checkOutWith(deps, basketId);
    expect(await tool('refund', 'org_stripe', String(basketId))).toMatchObject({
      outcome: 'pending',
      order_status: 'confirmed',
      payment: { provider: 'stripe', charge: 'pi_1', account: 'acct_club' },
    });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(double.refunds).toMatchObject([{ payment_intent: 'pi_1', amount: 3_215 }]);
    expect(await tool('show', 'org_stripe', String(basketId))).toMatchObject({
      order_status: 'refunded',
      refunds: [{ state: 'done' }],
    });
    await double.stop();
  });

  it('an order refund that the provider refuses changes nothing, and may be asked for again', async () => {
    const { deps, orderId, price } = await givenPaidOrder(table, 'org_refused', 'pm_card_refundFail');
    for (const states of [['refused'], ['refused', 'refused']]) {
      expect(await tool('refund', 'org_refused', String(orderId))).toMatchObject({
        exitCode: 1,
        error: { code: 'refund_refused' },
      });
      expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 7, sold: 3 });
      const { order_status, refunds } = await tool('show', 'org_refused', String(orderId));
      expect(order_status).toBe('confirmed');
      expect(refunds).toMatchObject(states.map((state) => ({ state, amount: 96.45 })));
    }
  });

  it('an order refund of an order that was not paid here changes only the tickets', async () => {
    const { event, price } = await givenOnSale(table, 'org_import');
    const orderId = generateOrderId(noonUnix);
    const placed = anOrder({ orderId, eventId: event.eventId });
    await writeOrder(table, 'org_import', {
      ...placed,
      tickets: placed.tickets.map((ticket) => ({ ...ticket, priceIndex: price.index })),
    });
    expect(await tool('refund', 'org_import', String(orderId))).toMatchObject({
      outcome: 'refunded',
      order_status: 'refunded',
      payment: null,
      refunds: [],
    });
  });
});

describe('admin order cancel', () => {
  it('order refund of a cancelled paid order returns the money once, and no stock again', async () => {
    const { deps, orderId, price, ticketIds } = await givenPaidOrder(table, 'org_late');
    const [first = 0] = ticketIds;
    expect(await tool('cancel', 'org_late', String(orderId))).toMatchObject({
      order_status: 'cancelled',
      changed: true,
    });
    expect(await tool('cancel', 'org_late', String(orderId))).toMatchObject({ outcome: 'unchanged', changed: false });
    const counted = await readSales(table, 'org_late', price.eventId);
    const one = await tool('refund', 'org_late', String(orderId), '--tickets', String(first));
    expect(one).toMatchObject({ outcome: 'refunded', changed: true, order_status: 'cancelled' });
    const rest = await tool('refund', 'org_late', String(orderId));
    expect(rest).toMatchObject({ outcome: 'refunded', order_status: 'refunded', refunds: [{}, { amount: 64.3 }] });
    expect(await tool('refund', 'org_late', String(orderId))).toMatchObject({ outcome: 'unchanged', changed: false });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 9_645 }]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
    expect(await readSales(table, 'org_late', price.eventId)).toEqual(counted);
    const types = (await eventsOf(deps)).map(({ type }) => type);
    expect(types).toEqual(['order.completed', 'order.cancelled', 'order.refunded', 'order.refunded']);
  });

  it('an order refund of cancelled tickets that crashes is completed by the sweeper, or by a repeated command', async () => {
    let at = 3;
    for (let hasCrashed = true; hasCrashed; at += 3) {
      const recoverBy = at % 2 === 0 ? 'sweep' : 'repeat';
      const orgId = `org_c${at}`;
      hasCrashed = await runRefundCrash({
        table,
        orgId,
        crashes: { at, when: 'after' },
        recoverBy,
        cancelledBefore: true,
      });
    }
    expect(at).toBeGreaterThan(12);
  });

  it('order cancel cancels the tickets without a refund, and a later refund of the order includes them', async () => {
    const { deps, orderId, ticketIds, price } = await givenPaidOrder(table, 'org_cancel');
    const [first = 0] = ticketIds;
    expect(await tool('cancel', 'org_cancel', String(orderId), '--tickets', String(first))).toMatchObject({
      outcome: 'cancelled',
    });
    expect(await tool('cancel', 'org_cancel', String(orderId), '--tickets', String(first))).toMatchObject({
      outcome: 'unchanged',
    });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 0 }]);
    expect(await tool('refund', 'org_cancel', String(orderId))).toMatchObject({
      outcome: 'refunded',
      order_status: 'refunded',
    });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 9_645 }]);
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
    expect((await eventsOf(deps)).map(({ type }) => type)).toEqual([
      'order.completed',
      'order.cancelled',
      'order.refunded',
    ]);
  });

  it('order cancel of a missing order reports it', async () => {
    for (const command of ['show', 'refund', 'cancel']) {
      expect(await tool(command, 'org_cancel', '64')).toMatchObject({ exitCode: 1, error: { code: 'order_missing' } });
      expect(await tool(command, 'org_cancel', 'no-such-uuid')).toMatchObject({ error: { code: 'order_missing' } });
    }
    const { exitCode } = await admin('order', 'refund', 'org_cancel', '64', '--tickets', 'x', '--local');
    expect(exitCode).toBe(2);
  });
});
