import { describe, expect, it } from 'vitest';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { recordFailedRefund } from '../../../shared/sales/refunds/record-failed-refund.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { failInSandbox, failures, moneyOf, placedOf } from '../../support/failed-refunds.ts';
import { eventsOf, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { givenShop, openPaymentWorlds } from '../../support/payment-worlds.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep, sweepWhenDue } from '../../support/plans.ts';
import { receive, refundEvent } from '../../support/stripe-events.ts';

const { table, world, double } = openPaymentWorlds();

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
    // Two events of one transaction have no order.
    const types = (await eventsOf(deps)).map(({ type }) => type);
    expect(types.slice(-2).toSorted()).toEqual(['instalment.paid', 'order.refund_failed']);
    expect(await failures(deps)).toHaveLength(2);
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
    // It can be returned again, with the rest.
    await refundOrder(deps, { orderId, tickets: [], members: 'all' });
    expect((await placedOf(deps, orderId))?.order).toMatchObject({ refundedMinor: 8_018, writtenOffMinor: 16_032 });
    expect(await findingsOf(table(), deps.orgId)).toEqual([]);
  });

  it('is paid again when Stripe reports it, however often', async () => {
    const { deps } = await givenShop(table(), 'org_failed_return', { world: world('stripe'), capacity: 5 });
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
      kind: 'refund_failed',
      money: { card: 4_008, other: -4_008 },
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
