import { expect } from 'vitest';
import { savePlan } from '../../shared/data/plans/plans.ts';
import { customerKey, memberKey, sandboxChargeKey, termKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { withInstalment } from '../../shared/domain/plans/plan.ts';
import { cancelOpen } from '../../shared/domain/plans/refund.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { add, keyLike, remove, type Sales, set } from './audit.ts';
import type { Breakage } from './audit-list-breakages.ts';
import { checkOutWith } from './baskets.ts';
import { refundOrder } from './faults/refund-crash-scenario.ts';
import { addType, buyMembership, givenMembershipBasket, givenType, renewMember } from './memberships.ts';
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

/** A member with two terms, the first of which has ended. */
async function secondTermAlone(table: Table, { deps, orgId }: Sales, replacing: boolean): Promise<void> {
  const first = await givenType(table, orgId);
  const gold = await givenType(table, orgId, { priceThousandths: 300_000 }, 'gold');
  const [sold] = (await buyMembership(deps, first)).memberships;
  const memberId = sold?.memberId ?? 0;
  await renewMember(deps, memberId, replacing ? gold : undefined);
  await set(table, termKey(orgId, memberId, sold?.termId ?? 0), 'state', 'refunded');
}

/** Breakages of money: what is charged, what is owed and who owes it. */
export const moneyBreakages: readonly Breakage[] = [
  {
    what: 'a charge that was paid twice',
    group: 'sixth',
    check: 'charges',
    row: /^SBX#.* sbx_64-2$/,
    problem: /^It was paid, and neither an order nor an instalment names it\.$/,
    breaks: (table, { orgId }) => {
      const charge = { chargeId: 'sbx_64-2', key: '64-2', status: 'paid', amountMinor: 100, refundedMinor: 0 };
      return putItems(table, [{ ...sandboxChargeKey(orgId, charge.chargeId), orgId, ...charge }]);
    },
  },
  {
    what: 'a membership that no card gets back',
    check: 'charges',
    row: /^ORD#/,
    problem: /^A ticket or a membership of it costs an amount that no card gets back\.$/,
    breaks: async (table, { deps, orgId }) => {
      // Both together can be charged.
      const type = await givenType(table, orgId, { currency: 'KWD', priceThousandths: 58_335 });
      const basketId = await givenMembershipBasket(deps, type);
      await addType(deps, basketId, type);
      expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    },
  },
  {
    what: 'a plan that no member has',
    check: 'plans',
    row: /^PLN#/,
    problem: /^It is open, and no member has it\.$/,
    breaks: async (table, sales) => {
      const { memberIds } = await openPlan(sales);
      await set(table, memberKey(sales.orgId, memberIds[0] ?? 0), 'planId', 1);
    },
  },
  {
    what: 'an instalment that was charged after the end',
    check: 'plans',
    row: /^PLN#/,
    problem: /^Its instalment 3 was charged after the refund that ended it\.$/,
    breaks: async (table, sales) => {
      const { deps, orgId } = sales;
      const { planId, orderId } = await openPlan(sales);
      await refundOrder(deps, { orderId, tickets: 'all', members: 'all' });
      const plan = await planOf(deps, planId);
      const charge = { provider: 'sandbox', chargeId: 'sbx_1', account: null };
      const late = { status: 'paid', charge, paidUnix: deps.nowUnix + 60 } as const;
      await savePlan(table, orgId, plan, withInstalment(plan, 3, late));
    },
  },
  {
    what: 'a type that replaces a term that was returned',
    check: 'memberships',
    row: /^TRM#/,
    problem: /^It replaces a term that was refunded, whose rest was credited too\.$/,
    breaks: (table, sales) => secondTermAlone(table, sales, true),
  },
  {
    what: 'a renewal of a term that was returned',
    check: 'memberships',
    row: /^TRM#/,
    problem: /^It follows a term that was refunded\.$/,
    breaks: (table, sales) => secondTermAlone(table, sales, false),
  },
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
