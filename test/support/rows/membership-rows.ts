import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { givenConfig, membershipType, paymentOption } from '../../../tools/fixtures/membership.ts';
import { checkOutWith, givenBasket, type TestCheckoutDeps } from '../baskets.ts';
import { refundOrder } from '../faults/refund-crash-scenario.ts';
import { addType, renewMember } from '../memberships.ts';
import { buyInInstalments } from '../plans.ts';

import { writeWithdrawals } from './withdrawal-rows.ts';

/** A membership in instalments that renews itself. */
export async function writeRenewing(deps: TestCheckoutDeps): Promise<void> {
  const { table, orgId } = deps;
  const sold = membershipType(orgId, 'sold', { currency: 'AUD', termMonths: 12, capacity: 5 });
  await givenConfig(table, orgId, sold);
  await givenConfig(table, orgId, paymentOption('six', { numberOfInstalments: 6 }));
  const { memberId } = await buyInInstalments(deps, sold);
  await setAutoRenew(deps, { memberId, consentText: 'Renew my membership every year.' });
}

/**
 * Memberships that have ended, or were to end: one whose place returned with a later term, one in instalments whose refund is pending, and
 * one whose refund was refused after a share was returned.
 */
export async function writeEndedMemberships(deps: TestCheckoutDeps, price: PriceRecord): Promise<void> {
  const { orgId } = deps;
  const fields = { currency: 'AUD', termMonths: 12, capacity: 5 } as const;
  const bronze = membershipType(orgId, 'bronze', fields);
  const gold = membershipType(orgId, 'gold', { ...fields, priceThousandths: 500_000 });
  await givenConfig(deps.table, orgId, bronze, gold);
  const cancel = (memberId: number) => cancelMembership(deps, { memberId, when: 'now', refund: 'all' }, () => []);

  // With a ticket: the audit of release 0.1.0 does not read a member twice among the orders without an event.
  const { basketId } = await givenBasket(deps, price);
  await addType(deps, basketId, bronze);
  const bought = await checkOutWith(deps, basketId);
  const memberId = bought.outcome === 'confirmed' ? (bought.placed.memberships[0]?.memberId ?? 0) : 0;
  const later = await renewMember(deps, memberId, gold);
  await cancel(memberId);
  await executeRefunds(deps, later.order.orderId);
  await refundOrder(deps, { orderId: basketId, tickets: [], members: [memberId], keep: 1 });

  const returned = await buyInInstalments(deps, bronze, { paymentMethod: 'pm_card_refundFail' });
  const share = { planId: returned.planId, number: 2, paymentMethod: 'pm_card_visa', returnUrl: null };
  await payInstalment(deps, share);
  await cancel(returned.memberId);
  await executeRefunds(deps, returned.order.orderId);

  const pending = await buyInInstalments(deps, bronze);
  await cancel(pending.memberId);
  await writeWithdrawals(deps, basketId);
}
