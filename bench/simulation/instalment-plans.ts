import { newPlanPuts } from '../../shared/data/plans/plans.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { idOf, idsPerSecond } from '../../shared/domain/ids.ts';
import { termIdOf } from '../../shared/domain/orders/membership.ts';
import type { PlanRecord } from '../../shared/domain/plans/plan.ts';
import { scheduleOf } from '../../shared/domain/plans/schedule.ts';
import { newInstalment } from '../../shared/sales/checkout/plans-of-order.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';

/** Baskets have the first of 64 numbers (ADR 21). */
const idsPerBasket = 64;
/** One saved card in fifty is declined when it is charged later. */
const declinedOneIn = 50;
const rule = { timezone: 'Australia/Melbourne', termMonths: 12, expiresUnix: null };
const option = { instalments: 6, fixedEndUnix: null };

/** The plans of members who all bought on one day, a month before their second share is due. */
export async function givenPlans(
  table: Table,
  orgId: string,
  { count, boughtUnix }: { readonly count: number; readonly boughtUnix: number },
): Promise<readonly PlanRecord[]> {
  const secondOf = (index: number): number => boughtUnix + Math.floor((index * 3_600) / count);
  const plans = Array.from({ length: count }, (_, index) => newPlan(secondOf(index), index));
  await givenMembers(
    table,
    orgId,
    plans.map(({ planId, memberIds: [memberId = 0] }) => aMember({ memberId, planId, statusId: 2 })),
  );
  await putItems(
    table,
    plans.flatMap((plan) => newPlanPuts(table, orgId, [plan], undefined).map(({ Put }) => Put?.Item ?? {})),
  );
  return plans;
}

function newPlan(nowUnix: number, index: number): PlanRecord {
  const orderId = idOf(nowUnix, (index * idsPerBasket) % idsPerSecond);
  const shares = scheduleOf(rule, option, { amountMinor: 24_050, currency: 'AUD', nowUnix, seed: orderId });
  return {
    planId: termIdOf(orderId, 0),
    orderId,
    eventId: null,
    lineId: 1,
    userId: index + 1,
    optionId: 'six',
    memberIds: [idOf(nowUnix, index)],
    currency: 'AUD',
    provider: 'stripe',
    account: 'acct_simulated',
    customer: `cus_${index}`,
    paymentMethod: index % declinedOneIn === 0 ? 'pm_card_chargeCustomerFail' : 'pm_card_visa',
    instalments: shares.map((share, number) => newInstalment(share, number, nowUnix)),
    charge: null,
    version: 1,
  };
}
