import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import { recordFailedRefund } from '../../../shared/checkout/record-failed-refund.ts';
import { requestRefund } from '../../../shared/checkout/request-refund.ts';
import { executeRefunds } from '../../../shared/checkout/sweep-basket.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { entriesOfOrder } from '../../../shared/data/journal/journal.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { sandboxChargeKey } from '../../../shared/data/table/keys.ts';
import { linesOf } from '../../../shared/domain/journal/entry.ts';
import { sumOf } from '../../../shared/domain/money.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  chargesOf,
  checkOutWith,
  givenBasket,
  newCheckoutDeps,
  type TestCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { eventsOf, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { buyMembership, givenType } from '../../support/memberships.ts';
import { givenShop, intentsOfBasket, openPaymentWorlds } from '../../support/payment-worlds.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep, sweepWhenDue } from '../../support/plans.ts';
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

const placedOf = ({ orgId }: TestCheckoutDeps, orderId: number) => readOrderWithTickets(table(), orgId, orderId);
const moneyOf = async ({ orgId }: TestCheckoutDeps, orderId: number) => {
  const entries = await entriesOfOrder(table(), orgId, orderId);
  for (const entry of entries) expect(sumOf(linesOf(entry).map(({ amountMinor }) => amountMinor))).toBe(0);
  return entries.map(({ kind, money }) => [kind, sumOf(Object.values(money))]);
};
const failures = async (deps: TestCheckoutDeps) =>
  (await eventsOf(deps)).filter(({ type }) => type === 'order.refund_failed');

/** The money of a refund comes back to the organisation. */
async function failInSandbox(
  deps: TestCheckoutDeps,
  { amountMinor }: { readonly amountMinor: number },
  chargeId?: string,
): Promise<void> {
  const charge = (await chargesOf(deps)).find((one) =>
    chargeId === undefined ? one.refundedMinor === amountMinor : one.sk === chargeId,
  );
  await table().client.send(
    new UpdateCommand({
      TableName: table().name,
      Key: sandboxChargeKey(deps.orgId, charge?.sk ?? ''),
      UpdateExpression: 'SET refundedMinor = :none',
      ExpressionAttributeValues: { ':none': 0 },
    }),
  );
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
      ...{ status: 'refunded', refundedMinor: 4_010, keptMinor: 4_008, writtenOffMinor: 16_032 },
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

describe('a share that a refund has returned before another charge was refused, and that is not returned after all', () => {
  /** The provider refuses to return the payment of the order: the second share was returned before, and is owed again. */
  async function givenReturnedShare() {
    const deps = newCheckoutDeps(table());
    const { order, planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const { orderId } = order;
    await sweepWhenDue(deps, planId, 2);
    const stateOf = async () => {
      const { updatedUnix: _, version: _v, ...member } = (await readMember(table(), deps.orgId, memberId)) ?? {};
      const { version: _w, ...plan } = await planOf(deps, planId);
      return { member, plan };
    };
    const before = await stateOf();
    const provider = await deps.payments.current();
    const refuses: typeof provider.refund = async (...call) =>
      call[1].key.startsWith(`${orderId}-`) ? { outcome: 'refused', message: '' } : provider.refund(...call);
    const payments = { ...deps.payments, byName: async () => ({ ...provider, refund: refuses }) };
    deps.nowUnix += 3_600;
    await requestRefund(deps, { orderId, tickets: [], members: [memberId], reason: null }, () => []);
    await executeRefunds({ ...deps, payments }, orderId);
    expect(statusesOf(await planOf(deps, planId)).slice(0, 2)).toEqual(['paid', 'action_required']);
    const failed = { key: `instalment-${planId}-refund-1-2`, amountMinor: 4_008 };
    const fail = () => recordFailedRefund(deps, { basketId: orderId, number: 1, failed });
    const charge = before.plan.instalments[1]?.charge;
    const comesBack = () => failInSandbox(deps, failed, charge?.chargeId);
    deps.nowUnix += 86_400;
    return { deps, orderId, planId, memberId, before, stateOf, fail, comesBack };
  }

  it('is paid again as it was, once', async () => {
    const { deps, orderId, before, stateOf, fail, comesBack } = await givenReturnedShare();
    await comesBack();
    for (let time = 0; time < 2; time += 1) await fail();
    expect(await stateOf()).toEqual(before);
    expect(await moneyOf(deps, orderId)).toEqual([
      ['sale', 24_050],
      ...['instalment', 'refund', 'refund_failed'].map((kind) => [kind, 0]),
    ]);
    expect((await eventsOf(deps)).map(({ type }) => type).slice(-2)).toEqual([
      'order.refund_failed',
      'instalment.paid',
    ]);
    expect(await failures(deps)).toHaveLength(2);
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
    // It can be returned again, with the rest.
    await refundOrder(deps, { orderId, tickets: [], members: 'all' });
    expect((await placedOf(deps, orderId))?.order).toMatchObject({ refundedMinor: 8_018, writtenOffMinor: 16_032 });
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });

  it('is paid again when Stripe reports it, however often', async () => {
    made += 1;
    const { deps } = await givenShop(table(), `org_failed_${made}`, { world: world('stripe'), capacity: 5 });
    const { order, planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const { orderId } = order;
    await sweepWhenDue(deps, planId, 2);
    const provider = await deps.payments.current();
    const refuses: typeof provider.refund = async (...call) =>
      call[1].key.startsWith(`${orderId}-`) ? { outcome: 'refused', message: '' } : provider.refund(...call);
    const payments = { ...deps.payments, byName: async () => ({ ...provider, refund: refuses }) };
    await requestRefund(deps, { orderId, tickets: [], members: [memberId], reason: null }, () => []);
    await executeRefunds({ ...deps, payments }, orderId);
    expect(statusesOf(await planOf(deps, planId)).slice(0, 2)).toEqual(['paid', 'action_required']);
    const refund = double.refunds.find(({ metadata }) => metadata.gateline_refund?.startsWith(`instalment-${planId}-`));
    const intent = double.intents.find(({ id }) => id === refund?.payment_intent);
    if (intent === undefined || refund === undefined) throw new Error('There is no refund.');
    for (let time = 0; time < 2; time += 1) await receive(deps, refundEvent(intent, { ...refund, status: 'failed' }));
    expect(statusesOf(await planOf(deps, planId)).slice(0, 2)).toEqual(['paid', 'paid']);
  });

  it('and that the member has paid once more is money that the organisation returns itself', async () => {
    const { deps, orderId, planId, stateOf, fail, comesBack } = await givenReturnedShare();
    await payInstalment(deps, { planId, number: 2, paymentMethod: 'pm_card_visa', returnUrl: null });
    const paid = await stateOf();
    await comesBack();
    for (let time = 0; time < 2; time += 1) await fail();
    expect(await stateOf()).toEqual(paid);
    expect((await entriesOfOrder(table(), deps.orgId, orderId)).at(-1)).toMatchObject({
      ...{ kind: 'refund_failed', money: { card: 4_008, other: -4_008 } },
    });
    expect(await failures(deps)).toHaveLength(2);
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });

  it('waits for a payment and a refund that are under way; written off, it is returned by the organisation', async () => {
    const { deps, orderId, planId, memberId, fail, comesBack } = await givenReturnedShare();
    await payInstalment(deps, { planId, number: 2, paymentMethod: null, returnUrl: null });
    await expect(fail()).rejects.toThrow('being charged');
    deps.nowUnix += 3_600;
    await sweep(deps);
    await requestRefund(deps, { orderId, tickets: [], members: [memberId], reason: null }, () => []);
    await expect(fail()).rejects.toThrow('still pending');
    await executeRefunds(deps, orderId);
    await comesBack();
    await fail();
    expect((await entriesOfOrder(table(), deps.orgId, orderId)).at(-1)?.money).toEqual({ card: 4_008, other: -4_008 });
    expect((await placedOf(deps, orderId))?.order).toMatchObject({ refundedMinor: 4_010, writtenOffMinor: 20_040 });
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });

  it('is not the charge that was refused: its failure says nothing new', async () => {
    const { deps, orderId, stateOf } = await givenReturnedShare();
    const owed = await stateOf();
    const failed = { key: `${orderId}-refund-1`, amountMinor: 4_010 };
    await recordFailedRefund(deps, { basketId: orderId, number: 1, failed });
    expect(await stateOf()).toEqual(owed);
    expect(await failures(deps)).toHaveLength(1);
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });
});
