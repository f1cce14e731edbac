import { beforeAll, describe, expect, it } from 'vitest';
import { cardOfPlan, savedCard } from '../../../shared/charges/saved-card.ts';
import { setPaymentMethod } from '../../../shared/charges/set-payment-method.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Payments } from '../../../shared/payments/payments.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { buyInInstalments, givenInstalmentType, planOf } from '../../support/plans.ts';
import { renewalOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A member who pays in instalments. */
async function givenPlan() {
  const deps = newCheckoutDeps(table);
  const { memberId, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
  return { deps, memberId, plan: () => planOf(deps, planId) };
}

describe('the card of a payment plan', () => {
  it('is known by its brand, last digits and month, and is the new one after set-payment-method', async () => {
    const { deps, memberId, plan } = await givenPlan();
    const bought = await plan();
    expect(await cardOfPlan(deps.payments, bought, bought)).toEqual({
      brand: 'visa',
      last4: '4242',
      expires: '2039-12',
    });
    await setPaymentMethod(deps, { memberId, paymentMethod: 'pm_card_chargeCustomerFail', returnUrl: null });
    expect(await cardOfPlan(deps.payments, await plan(), bought)).toMatchObject({ last4: '0341' });
    const { saved } = await renewalOf(deps, memberId);
    expect(saved && (await savedCard(deps.payments, saved))).toMatchObject({ last4: '0341' });
  });

  it('is not shown to another owner of the membership: it stays with who agreed to the plan', async () => {
    const { deps, plan } = await givenPlan();
    const bought = await plan();
    expect(await cardOfPlan(deps.payments, bought, { userId: bought.userId + 1 })).toBeNull();
    expect(await cardOfPlan(deps.payments, bought, { userId: null })).toBeNull();
  });

  it('is null once the person is erased, and while the provider is not there', async () => {
    const { deps, plan } = await givenPlan();
    const bought = await plan();
    expect(await cardOfPlan(deps.payments, { ...bought, paymentMethod: null }, bought)).toBeNull();
    const provider = await deps.payments.current();
    const failing: PaymentProvider = { ...provider, describeCard: () => Promise.reject(new Error('down')) };
    const payments: Payments = { ...deps.payments, byName: async () => failing };
    expect(await cardOfPlan(payments, bought, bought)).toBeNull();
    expect(await cardOfPlan({ ...payments, byName: async () => undefined }, bought, bought)).toBeNull();
    expect(
      await cardOfPlan({ ...payments, byName: () => Promise.reject(new Error('no key')) }, bought, bought),
    ).toBeNull();
  });
});
