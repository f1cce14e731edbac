import { erasePlan } from '../../shared/data/admin/erase-plan.ts';
import { readBasket } from '../../shared/data/baskets/baskets.ts';
import { membersOfCustomer } from '../../shared/data/members/of-customer.ts';
import { readMember } from '../../shared/data/members/read.ts';
import { ordersOfUser, readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { readConsent, readPlan } from '../../shared/data/plans/plans.ts';
import { majorUnits, moneyText } from '../../shared/domain/money.ts';
import { outstandingMinor, type PlanRecord, unpaidMinor } from '../../shared/domain/plans/plan.ts';
import { paymentPlanResource } from '../../shared/mappers/payment-plan.ts';
import { cancelMembership } from '../../shared/sales/ended-memberships/cancel-membership.ts';
import type { Person, PersonSection } from './section.ts';

/** The plans by which the person pays for memberships, what the person agreed to, and the saved payment methods. Those of a membership's former owner are not the person's. */
export const paymentPlansSection: PersonSection = {
  name: 'payment_plans',
  async collect(person) {
    const { table, orgId } = person;
    const documents = (await plansOf(person)).map(async (plan) => {
      const consent = await readConsent(table, orgId, plan.orderId);
      const agreed = consent && { text: consent.text, given: consent.givenUnix };
      const { customer, paymentMethod: payment_method } = plan;
      return { ...paymentPlanResource(plan), customer, payment_method, consent: agreed ?? null };
    });
    return Promise.all(documents);
  },
  async erase(person) {
    const { table, orgId } = person;
    let erased = 0;
    for (const plan of await plansOf(person)) {
      const { planId } = plan;
      await endOpenPlan(person, plan);
      if (await erasePlan(table, orgId, planId)) erased += 1;
    }
    return erased;
  },
};

/**
 * Ends what nobody owes any more, with the membership: the open shares are written off and the seat is free. What is being charged, or is
 * followed by another term, stays; the operator is told.
 */
async function endOpenPlan({ table, orgId, clock, requestId, customer }: Person, plan: PlanRecord): Promise<void> {
  if (outstandingMinor(plan) === 0) return;
  const members = await Promise.all(plan.memberIds.map((memberId) => readMember(table, orgId, memberId)));
  // A membership that belongs to somebody else by now is not the person's to end.
  const own = members.find((member) => member?.userId === customer.userId && member.planId === plan.planId);
  if (own === undefined) return;
  const command = { memberId: own.memberId, when: 'now', refund: 'none' } as const;
  await cancelMembership({ table, orgId, clock, requestId }, command, () => []);
}

/** The plans of the person of which something is open. */
export async function openPlans(person: Person): Promise<readonly PlanRecord[]> {
  return (await plansOf(person)).filter((plan) => outstandingMinor(plan) > 0);
}

/** The plans of the person that a refund has cancelled which the provider may refuse: then they are open again. */
export async function refundedPlans(person: Person): Promise<readonly PlanRecord[]> {
  const cancelled = (await plansOf(person)).filter((plan) => outstandingMinor(plan) === 0 && unpaidMinor(plan) > 0);
  const found = cancelled.map(async (plan) => {
    const basket = await readBasket(person.table, person.orgId, plan.orderId);
    const refunds = basket?.refunds.filter(({ state, amountMinor }) => state === 'pending' && amountMinor > 0) ?? [];
    const isRefunded = plan.memberIds.some((memberId) => refunds.some(({ memberIds }) => memberIds.includes(memberId)));
    return isRefunded ? plan : [];
  });
  return (await Promise.all(found)).flat();
}

interface OpenPlan {
  readonly document: Readonly<Record<string, unknown>>;
  readonly line: string;
}

/** What was open of a plan before the erasure, and whether it has ended. */
export function openPlan(plan: PlanRecord, left: readonly PlanRecord[]): OpenPlan {
  const { planId, memberIds, currency } = plan;
  const openMinor = outstandingMinor(plan);
  const isEnded = !left.some((one) => one.planId === planId);
  const document = {
    plan_id: planId,
    membership_member_ids: memberIds,
    outstanding: majorUnits(openMinor, currency),
    currency,
    ended: isEnded,
  };
  const amount = `${moneyText(openMinor, currency)} of the payment plan ${planId}`;
  const line = isEnded
    ? `${amount} were open. The membership of ${memberIds.join(', ')} has ended, and nobody owes them any more.`
    : `${amount} are open, and were not ended: they are being charged, or the membership has another owner or term. Erase again in some minutes, or refund the order ${plan.orderId}.`;
  return { document, line };
}

/** What is open again if the refund of a plan is refused. */
export function refundedPlan(plan: PlanRecord): OpenPlan {
  const { planId, orderId, memberIds, currency } = plan;
  const openMinor = unpaidMinor(plan);
  const document = {
    plan_id: planId,
    membership_member_ids: memberIds,
    outstanding: majorUnits(openMinor, currency),
    currency,
    ended: false,
  };
  const amount = `${moneyText(openMinor, currency)} of the payment plan ${planId}`;
  const line = `A refund of the order ${orderId} is being carried out. If the payment provider refuses it, ${amount} are open again: erase again in some minutes.`;
  return { document, line };
}

/** Those of all terms: a member names only its last one. People of one purchase share a plan. */
async function plansOf({ table, orgId, customer: { userId } }: Person): Promise<readonly PlanRecord[]> {
  const [members, orders] = await Promise.all([
    membersOfCustomer(table, orgId, userId),
    ordersOfUser(table, orgId, userId, 'all'),
  ]);
  const placed = await Promise.all(orders.map(({ orderId }) => readOrderWithTickets(table, orgId, orderId)));
  const sold = placed.flatMap((order) => order?.memberships ?? []);
  const planIds = new Set([...members, ...sold].flatMap(({ planId }) => planId ?? []));
  const plans = await Promise.all([...planIds].map((planId) => readPlan(table, orgId, planId)));
  return plans.filter((plan) => plan !== undefined).filter((plan) => plan.userId === userId);
}
