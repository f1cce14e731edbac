import { expect } from 'vitest';
import { payInstalment } from '../../shared/charges/pay-instalment.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { executeRefunds } from '../../shared/sales/checkout/sweep-basket.ts';
import { requestRefund } from '../../shared/sales/refunds/request-refund.ts';
import { newCheckoutDeps } from './baskets.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf } from './plans.ts';

/** A membership that is paid in full, and a refund of it that returns the last share and is refused then. */
export async function givenPaidShares(table: Table) {
  const deps = newCheckoutDeps(table);
  const type = await givenInstalmentType(deps);
  const { order, planId, memberId } = await buyInInstalments(deps, type, { paymentMethod: 'pm_card_refundFail' });
  const pay = (number: number, paymentMethod: string) =>
    payInstalment(deps, { planId, number, paymentMethod, returnUrl: null });
  for (const number of [2, 3, 4, 5]) await pay(number, 'pm_card_refundFail');
  deps.nowUnix += 10;
  await pay(6, 'pm_card_visa');
  const refund = async () => {
    const request = { orderId: order.orderId, tickets: [], members: [memberId], reason: null };
    expect(await requestRefund(deps, request, () => [])).toMatchObject({ outcome: 'recorded' });
    await executeRefunds(deps, order.orderId);
    expect(statusesOf(await planOf(deps, planId))).toEqual([...Array(5).fill('paid'), 'action_required']);
  };
  return { deps, type, memberId, planId, refund, payAgain: () => pay(6, 'pm_card_visa') };
}
