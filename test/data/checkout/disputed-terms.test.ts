import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { findCharge } from '../../../shared/payments/sandbox-charges.ts';
import { sandboxDispute } from '../../../shared/payments/sandbox-dispute.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { recordDisputedMoney } from '../../../shared/sales/disputes/record-disputed-money.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  checkOutWith,
  decideInSandbox,
  newCheckoutDeps,
  prepareWith,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { buyMembership, givenRenewalBasket, givenType, renewMember } from '../../support/memberships.ts';
import { planOf } from '../../support/plans.ts';
import { keptMinor } from '../../support/renewals.ts';
import { givenPaidShares } from '../../support/returned-shares.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** The bank takes the money of a charge from the club, or returns it. */
async function moveMoney(deps: TestCheckoutDeps, chargeId: string, move: 'withdrawn' | 'returned'): Promise<void> {
  const charge = await findCharge(table, { orgId: deps.orgId, chargeId });
  if (charge === undefined) throw new Error('There is no such charge.');
  await recordDisputedMoney(deps, sandboxDispute(charge, deps.nowUnix), move);
}

/** A member with a bronze membership for 100, whose payment the buyer disputes. */
async function givenBronze() {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  const bronze = await givenType(table, deps.orgId, { priceThousandths: 100_000 });
  const gold = await givenType(table, deps.orgId, { priceThousandths: 300_000 }, 'gold');
  const { order, memberships } = await buyMembership(deps, bronze);
  const { payment } = (await readBasket(table, deps.orgId, order.orderId)) ?? {};
  const bank = (move: 'withdrawn' | 'returned') => moveMoney(deps, payment?.chargeId ?? '', move);
  return { deps, gold, memberId: memberships[0]?.memberId ?? 0, bank };
}

describe('a change of type whose old term was paid with money that a bank has withdrawn', () => {
  it('is refused: what the club does not have is not credited. Once the bank has returned it, it is', async () => {
    const { deps, gold, memberId, bank } = await givenBronze();
    await bank('withdrawn');
    await expect(givenRenewalBasket(deps, memberId, gold)).rejects.toThrow('payment_withdrawn');
    await bank('returned');
    expect((await renewMember(deps, memberId, gold)).order.totalMinor).toBe(20_000);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is not paid in a basket that was filled before', async () => {
    const { deps, gold, memberId, bank } = await givenBronze();
    const basketId = await givenRenewalBasket(deps, memberId, gold);
    await bank('withdrawn');
    expect(await checkOutWith(deps, basketId)).toMatchObject({
      refusal: { reason: 'renewal_outdated', isPaid: false },
    });
    await bank('returned');
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
  });

  it('is returned if its payment had begun before', async () => {
    const { deps, gold, memberId, bank } = await givenBronze();
    const basketId = await givenRenewalBasket(deps, memberId, gold);
    expect(await prepareWith(deps, basketId)).toMatchObject({ outcome: 'prepared' });
    await bank('withdrawn');
    await decideInSandbox(deps, basketId, 'approve');
    expect(await checkOutWith(deps, basketId, { paymentMethod: null })).toMatchObject({
      refusal: { reason: 'renewal_outdated', isPaid: true },
    });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await keptMinor(deps)).toBe(10_000);
    expect(await termsOfMember(table, deps.orgId, memberId)).toHaveLength(1);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is refused too if that term was credited to the one that is replaced now', async () => {
    const { deps, gold, memberId, bank } = await givenBronze();
    const platinum = await givenType(table, deps.orgId, { priceThousandths: 500_000 }, 'platinum');
    await renewMember(deps, memberId, gold);
    await bank('withdrawn');
    await expect(givenRenewalBasket(deps, memberId, platinum)).rejects.toThrow('payment_withdrawn');
  });

  it('is refused too if it was the charge of an instalment; a renewal, which credits nothing, is sold', async () => {
    const { deps, memberId, planId } = await givenPaidShares(table);
    const gold = await givenType(table, deps.orgId, { priceThousandths: 300_000 }, 'gold');
    await moveMoney(deps, (await planOf(deps, planId)).instalments[2]?.charge?.chargeId ?? '', 'withdrawn');
    await expect(givenRenewalBasket(deps, memberId, gold)).rejects.toThrow('payment_withdrawn');
    expect((await renewMember(deps, memberId)).order.totalMinor).toBe(24_050);
  });
});
