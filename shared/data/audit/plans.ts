import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { hasOpenInstalments, isPaidMember } from '../../domain/members/status.ts';
import { sumOf } from '../../domain/money.ts';
import { isRefundable, type OrderWithTickets } from '../../domain/orders/order.ts';
import { ticketPriceMinor } from '../../domain/orders/ticket-money.ts';
import { outstandingMinor, type PlanRecord, totalMinor, unpaidMinor } from '../../domain/plans/plan.ts';
import { readCustomer } from '../customers/read.ts';
import { entriesOfOrder } from '../journal/read.ts';
import { readMember } from '../members/read.ts';
import { readPlan } from '../plans/plans.ts';
import { planKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { OrderPayments } from './charges.ts';

/**
 * Compares the plans of orders with what they pay for: a plan adds up to the price of its line, the receivable of the journal is what is
 * open, a member whose plan is paid is a paid one, nothing is cancelled for a member that goes on, nothing is charged after the end, and
 * what is open has a member and a debtor.
 */
export async function auditPlans(
  table: Table,
  orgId: string,
  orders: readonly OrderWithTickets[],
  payments: OrderPayments,
): Promise<Finding[]> {
  const planned = orders.filter(({ memberships }) => memberships.some(({ planId }) => planId != null));
  return (await Promise.all(planned.map((placed) => auditOrder(table, orgId, placed, payments)))).flat();
}

async function auditOrder(
  table: Table,
  orgId: string,
  placed: OrderWithTickets,
  payments: OrderPayments,
): Promise<Finding[]> {
  const ids = [...new Set(placed.memberships.flatMap(({ planId }) => planId ?? []))];
  const plans = await Promise.all(ids.map((planId) => readPlan(table, orgId, planId)));
  const found = plans.filter((plan) => plan !== undefined);
  const kept = keptPlans(placed, payments.get(placed.order.orderId));
  const problems = await Promise.all(
    ids.map(async (planId, index): Promise<readonly [number, string | undefined]> => {
      const plan = plans[index];
      if (plan === undefined) return [planId, 'The plan of a membership is missing.'];
      return [
        planId,
        moneyProblem(placed, plan) ??
          chargedAfterEnd(plan, payments.get(placed.order.orderId)) ??
          (await memberProblem(table, orgId, plan, kept)) ??
          (await debtorProblem(table, orgId, plan)),
      ];
    }),
  );
  const owed = await owedProblem(table, orgId, { placed, plans: found, kept });
  return [...problems, [ids[0] ?? 0, owed] as const].flatMap(([planId, problem]) =>
    problem === undefined ? [] : [{ check: 'plans', row: nameRow(planKey(orgId, planId)), problem }],
  );
}

function moneyProblem({ memberships }: OrderWithTickets, plan: PlanRecord): string | undefined {
  const own = memberships.filter(({ planId }) => planId === plan.planId);
  const difference = totalMinor(plan) - sumOf(own.map((one) => ticketPriceMinor(one) - one.discountMinor));
  return difference === 0 ? undefined : `Its instalments differ from the price of the membership: ${difference}.`;
}

/** What the request of a refund has cancelled is owed until the refund is done. */
async function owedProblem(
  table: Table,
  orgId: string,
  { placed, plans, kept }: { placed: OrderWithTickets; plans: readonly PlanRecord[]; kept: KeptPlans },
): Promise<string | undefined> {
  const entries = await entriesOfOrder(table, orgId, placed.order.orderId);
  const booked = sumOf(entries.map(({ money }) => money.receivable ?? 0));
  const owed = plans.map((plan) => {
    const state = kept.get(plan.planId);
    if (state === undefined) return 0;
    return state === 'ending' ? unpaidMinor(plan) : outstandingMinor(plan);
  });
  const difference = booked - sumOf(owed);
  return difference === 0 ? undefined : `The journal differs from what is owed: ${difference}.`;
}

/** The plans of memberships that are not refunded. A refund ends some of them that is recorded and not carried out. */
type KeptPlans = ReadonlyMap<number, 'open' | 'ending'>;

function keptPlans({ memberships }: OrderWithTickets, basket: Basket | undefined): KeptPlans {
  const pending = basket?.refunds.filter(({ state }) => state === 'pending') ?? [];
  const ending = new Set(pending.flatMap(({ memberIds }) => memberIds));
  const kept = memberships.filter(isRefundable).flatMap(({ planId, memberId }) => {
    const state = ending.has(memberId) ? ('ending' as const) : ('open' as const);
    return planId == null ? [] : [[planId, state] as const];
  });
  return new Map(kept);
}

/** Nobody is charged for what has ended: the request of a refund cancels what is owed, and nothing is charged from then on. */
function chargedAfterEnd({ memberIds, instalments }: PlanRecord, basket: Basket | undefined): string | undefined {
  const ends = (basket?.refunds ?? [])
    .filter((refund) => refund.state === 'done' && refund.memberIds.some((memberId) => memberIds.includes(memberId)))
    .map(({ startedUnix }) => startedUnix);
  const late = instalments.find(
    ({ charge, paidUnix }) => charge !== null && ends.some((endUnix) => (paidUnix ?? 0) > endUnix),
  );
  return late && `Its instalment ${late.number} was charged after the refund that ended it.`;
}

async function memberProblem(
  table: Table,
  orgId: string,
  plan: PlanRecord,
  kept: KeptPlans,
): Promise<string | undefined> {
  const read = await Promise.all(plan.memberIds.map((memberId) => readMember(table, orgId, memberId)));
  const members = read.filter((member) => member !== undefined).filter(({ planId }) => planId === plan.planId);
  if (outstandingMinor(plan) > 0) return members.length === 0 ? 'It is open, and no member has it.' : undefined;
  if (unpaidMinor(plan) === 0) {
    return members.some(hasOpenInstalments) ? 'It is paid, and a member of it is not.' : undefined;
  }
  const goesOn = members.some((member) => isPaidMember(member) || hasOpenInstalments(member));
  return goesOn && kept.get(plan.planId) === 'open'
    ? 'Instalments are cancelled, and a member of it goes on.'
    : undefined;
}

/** An erasure ends what is open: nobody could pay it. The row of an erased customer stays, but not what a plan has of the person. */
async function debtorProblem(table: Table, orgId: string, plan: PlanRecord): Promise<string | undefined> {
  if (outstandingMinor(plan) === 0) return undefined;
  if (plan.customer === null) return 'It is open, and the person who owes it was erased.';
  const customer = await readCustomer(table, orgId, plan.userId, { consistent: true });
  return customer === undefined ? 'It is open, and the person who owes it does not exist.' : undefined;
}
