import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { sumOf } from '../../domain/money.ts';
import { isRefundable, type OrderWithTickets } from '../../domain/orders/order.ts';
import { ticketPriceMinor } from '../../domain/orders/ticket-money.ts';
import { outstandingMinor, type PlanRecord, totalMinor, unpaidMinor } from '../../domain/plans/plan.ts';
import { entriesOfOrder } from '../journal/journal.ts';
import { readMember } from '../members/read.ts';
import { readPlan } from '../plans/plans.ts';
import { planKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/**
 * Compares the plans of orders with what they pay for: a plan adds up to the price of its line, the journal says that exactly what is
 * not paid is owed, and a member whose plan is paid is a paid one.
 */
export async function auditPlans(table: Table, orgId: string, orders: readonly OrderWithTickets[]): Promise<Finding[]> {
  const planned = orders.filter(({ memberships }) => memberships.some(({ planId }) => planId != null));
  return (await Promise.all(planned.map((placed) => auditOrder(table, orgId, placed)))).flat();
}

async function auditOrder(table: Table, orgId: string, placed: OrderWithTickets): Promise<Finding[]> {
  const ids = [...new Set(placed.memberships.flatMap(({ planId }) => planId ?? []))];
  const plans = await Promise.all(ids.map((planId) => readPlan(table, orgId, planId)));
  const found = plans.filter((plan) => plan !== undefined);
  const problems = await Promise.all(
    ids.map(async (planId, index): Promise<readonly [number, string | undefined]> => {
      const plan = plans[index];
      if (plan === undefined) return [planId, 'The plan of a membership is missing.'];
      return [planId, moneyProblem(placed, plan) ?? (await memberProblem(table, orgId, plan))];
    }),
  );
  const owed = await owedProblem(table, orgId, placed, found);
  return [...problems, [ids[0] ?? 0, owed] as const].flatMap(([planId, problem]) =>
    problem === undefined ? [] : [{ check: 'plans', row: nameRow(planKey(orgId, planId)), problem }],
  );
}

function moneyProblem({ memberships }: OrderWithTickets, plan: PlanRecord): string | undefined {
  const own = memberships.filter(({ planId }) => planId === plan.planId);
  const difference = totalMinor(plan) - sumOf(own.map((one) => ticketPriceMinor(one) - one.discountMinor));
  return difference === 0 ? undefined : `Its instalments differ from the price of the membership: ${difference}.`;
}

/** What a refund has cancelled is owed until the refund is done. */
async function owedProblem(
  table: Table,
  orgId: string,
  { order, memberships }: OrderWithTickets,
  plans: readonly PlanRecord[],
): Promise<string | undefined> {
  const entries = await entriesOfOrder(table, orgId, order.orderId);
  const booked = sumOf(entries.map(({ money }) => money.receivable ?? 0));
  const kept = new Set(memberships.filter(isRefundable).map(({ planId }) => planId));
  const owed = sumOf(plans.filter(({ planId }) => kept.has(planId)).map(unpaidMinor));
  return booked === owed ? undefined : `The journal differs from what is owed: ${booked - owed}.`;
}

async function memberProblem(table: Table, orgId: string, plan: PlanRecord): Promise<string | undefined> {
  if (outstandingMinor(plan) > 0 || unpaidMinor(plan) > 0) return undefined;
  const members = await Promise.all(plan.memberIds.map((memberId) => readMember(table, orgId, memberId)));
  const isBehind = members.some((member) => member?.planId === plan.planId && member.statusId === 2);
  return isBehind ? 'It is paid, and a member of it is not.' : undefined;
}
