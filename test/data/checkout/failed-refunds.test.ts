import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { recordFailedRefund } from '../../../shared/sales/refunds/record-failed-refund.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, givenBasket, newCheckoutDeps, ticketsOf } from '../../support/baskets.ts';
import { failInSandbox, failures, moneyOf, placedOf } from '../../support/failed-refunds.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { buyMembership, givenType } from '../../support/memberships.ts';
import { givenShop, intentsOfBasket, openPaymentWorlds } from '../../support/payment-worlds.ts';
import { buyInInstalments, givenInstalmentType, sweepWhenDue } from '../../support/plans.ts';
import { receive, refundEvent } from '../../support/stripe-events.ts';

const { table, world, double } = openPaymentWorlds();
let made = 0;

async function givenRefunded() {
  made += 1;
  const orgId = `org_failed_${made}`;
  const { deps, price } = await givenShop(table(), orgId, { world: world('stripe'), capacity: 5 });
  const { basketId } = await givenBasket(deps, price, 2);
  expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
  await refundOrder(deps, { orderId: basketId, tickets: 'all' });
  const [intent] = intentsOfBasket(double, orgId, basketId);
  const refund = double.refunds.find((one) => one.payment_intent === intent?.id);
  if (intent === undefined || refund === undefined) throw new Error('There is no refund.');
  return { deps, price, basketId, intent, refund };
}

describe('a refund that the provider accepts and that fails later', () => {
  it.each([
    ['refund.failed', 'failed'],
    ['charge.refund.updated', 'failed'],
    ['refund.updated', 'canceled'],
  ])('is booked back and announced once, and can be asked for again: %s, %s', async (type, status) => {
    const { deps, price, basketId, intent, refund } = await givenRefunded();
    await receive(deps, refundEvent(intent, { ...refund, status: 'pending' }, 'charge.refund.updated'));
    expect((await placedOf(deps, basketId))?.order).toMatchObject({ status: 'refunded', refundedMinor: 6_430 });
    deps.nowUnix += 3 * 86_400;
    for (let time = 0; time < 2; time += 1) await receive(deps, refundEvent(intent, { ...refund, status }, type));
    const failed = await placedOf(deps, basketId);
    expect(failed?.order).toMatchObject({ status: 'cancelled', refundedMinor: 0 });
    expect(failed?.tickets.map((ticket) => ticket.status)).toEqual([2, 2]);
    expect(await moneyOf(deps, basketId)).toEqual([
      ['sale', 6_430],
      ['refund', -6_430],
      ['refund_failed', 6_430],
    ]);
    const [event, ...others] = await failures(deps);
    expect(others).toEqual([]);
    expect(v.parse(webhookEvents['order.refund_failed'], event).data.refund).toMatchObject({
      status: 'failed',
      amount: 64.3,
    });
    // The places were on sale again when the refund was done, and stay so.
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 5, sold: 0 });
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
    // A failed refund returns nothing, so the charge can be refunded again.
    double.refunds.splice(double.refunds.indexOf(refund), 1);
    await refundOrder(deps, { orderId: basketId, tickets: 'all' });
    expect((await placedOf(deps, basketId))?.order).toMatchObject({ status: 'refunded', refundedMinor: 6_430 });
    expect(await moneyOf(deps, basketId)).toHaveLength(4);
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });

  it('changes nothing if the refund was not made here, or is not known', async () => {
    const { deps, basketId, intent, refund } = await givenRefunded();
    await receive(deps, refundEvent(intent, { ...refund, status: 'failed', metadata: {} }));
    expect((await placedOf(deps, basketId))?.order).toMatchObject({ status: 'refunded' });
    const failed = { key: 'k', amountMinor: 1 };
    await recordFailedRefund(deps, { basketId, number: 7, failed });
    expect(await failures(deps)).toEqual([]);
  });

  it('changes nothing if another account gives a payment of its own the name of this one', async () => {
    const { deps, basketId, intent, refund } = await givenRefunded();
    const forged = { ...intent, id: `${intent.id}_forged`, account: 'acct_of_another_club' };
    double.intents.push(forged);
    await receive(deps, refundEvent(forged, { ...refund, payment_intent: forged.id, status: 'canceled' }));
    expect((await placedOf(deps, basketId))?.order).toMatchObject({ status: 'refunded', refundedMinor: 6_430 });
    expect(await moneyOf(deps, basketId)).toHaveLength(2);
    expect(await failures(deps)).toEqual([]);
  });

  it('of one of several charges keeps what failed as revenue of the membership', async () => {
    const deps = newCheckoutDeps(table());
    const { order, planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const { orderId } = order;
    await sweepWhenDue(deps, planId, 2);
    await requestRefund(deps, { orderId, tickets: [], members: [memberId], reason: null }, () => []);
    const failed = { key: `instalment-${planId}-refund-1-2`, amountMinor: 4_008 };
    await expect(recordFailedRefund(deps, { basketId: orderId, number: 1, failed })).rejects.toThrow('still pending');
    await executeRefunds(deps, orderId);
    await failInSandbox(deps, failed);
    for (let time = 0; time < 2; time += 1) await recordFailedRefund(deps, { basketId: orderId, number: 1, failed });
    expect((await placedOf(deps, orderId))?.order).toMatchObject({
      status: 'refunded',
      refundedMinor: 4_010,
      keptMinor: 4_008,
      writtenOffMinor: 16_032,
    });
    expect((await readBasket(table(), deps.orgId, orderId))?.refunds).toMatchObject([
      { state: 'done', failedCharges: [failed] },
    ]);
    expect((await moneyOf(deps, orderId)).at(-1)).toEqual(['refund_failed', 4_008]);
    expect((await failures(deps)).map(({ data }) => data.refund.status)).toEqual(['failed']);
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });

  it('of a membership in instalments keeps the money, and its debt stays written off', async () => {
    const deps = newCheckoutDeps(table());
    const { order, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const { orderId } = order;
    await refundOrder(deps, { orderId, tickets: [], members: [memberId] });
    const failed = { key: `${orderId}-refund-1`, amountMinor: 4_010 };
    await failInSandbox(deps, failed);
    await recordFailedRefund(deps, { basketId: orderId, number: 1, failed });
    expect((await placedOf(deps, orderId))?.order).toMatchObject({ refundedMinor: 0, keptMinor: 4_010 });
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });

  it('of a membership that was paid at once leaves it cancelled, to be refunded again', async () => {
    const deps = newCheckoutDeps(table());
    await givenOrganisation(table(), deps.orgId);
    const { order, memberships } = await buyMembership(deps, await givenType(table(), deps.orgId));
    const { orderId } = order;
    const members = memberships.map(({ memberId }) => memberId);
    await refundOrder(deps, { orderId, tickets: [], members });
    const failed = { key: `${orderId}-refund-1`, amountMinor: 24_050 };
    await failInSandbox(deps, failed);
    await recordFailedRefund(deps, { basketId: orderId, number: 1, failed });
    expect(await placedOf(deps, orderId)).toMatchObject({
      order: { status: 'cancelled' },
      memberships: [{ status: 2 }],
    });
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
    await refundOrder(deps, { orderId, tickets: [], members });
    expect((await placedOf(deps, orderId))?.order).toMatchObject({ status: 'refunded', refundedMinor: 24_050 });
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });
});
