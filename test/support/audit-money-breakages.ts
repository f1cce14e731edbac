import { savePlan } from '../../shared/data/plans/plans.ts';
import { customerKey } from '../../shared/data/table/keys.ts';
import { cancelOpen } from '../../shared/domain/plans/refund.ts';
import { add, keyLike, remove, type Sales } from './audit.ts';
import type { Breakage } from './audit-list-breakages.ts';
import { buyInInstalments, givenTypeInInstalments, planOf } from './plans.ts';

/** A membership of which later instalments are open. */
async function openPlan({ deps }: Sales) {
  const { planId } = await buyInInstalments(deps, await givenTypeInInstalments(deps));
  return planOf(deps, planId);
}

const withoutLaterShares: Breakage['breaks'] = async (table, sales) => {
  const plan = await openPlan(sales);
  return savePlan(table, sales.orgId, plan, cancelOpen(plan));
};

/** Breakages of money: what is charged, what is owed and who owes it. */
export const moneyBreakages: readonly Breakage[] = [
  {
    what: 'a charge of which the provider has returned more than is booked',
    group: 'fifth',
    check: 'charges',
    row: /^ORD#/,
    problem: /^Its charges differ from what was paid and not refunded: -100\.$/,
    breaks: async (table, { orgId }) => add(table, await keyLike(table, `SBX#${orgId}`), 'refundedMinor', 100),
  },
  {
    what: 'instalments that are cancelled although the member goes on',
    check: 'plans',
    row: /^PLN#/,
    problem: /^Instalments are cancelled, and a member of it goes on\.$/,
    breaks: withoutLaterShares,
  },
  {
    what: 'a receivable of which nothing is open',
    check: 'plans',
    row: /^PLN#/,
    problem: /^The journal differs from what is owed: \d+\.$/,
    breaks: withoutLaterShares,
  },
  {
    what: 'an open plan without a person',
    check: 'plans',
    row: /^PLN#/,
    problem: /^It is open, and the person who owes it does not exist\.$/,
    breaks: async (table, sales) => {
      const { userId } = await openPlan(sales);
      await remove(table, customerKey(sales.orgId, userId));
    },
  },
];
