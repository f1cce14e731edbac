import type { OverduePlan as OverduePlanRecord } from '../data/plans/overdue.ts';
import { majorUnits } from '../domain/money.ts';
import {
  type Instalment,
  outstandingMinor,
  overdueMinor,
  overdueSinceUnix,
  type PlanRecord,
  paidMinor,
  totalMinor,
} from '../domain/plans/plan.ts';
import type { OverduePlan } from '../operations/schemas/overdue-plan.ts';
import type { PaymentPlan, PaymentPlanSummary } from '../operations/schemas/payment-plan.ts';

export function paymentPlanResource(plan: PlanRecord): PaymentPlan {
  return {
    ...planSummary(plan),
    instalments: plan.instalments.map((one) => instalmentResource(one, plan.currency)),
  };
}

function planSummary(plan: PlanRecord): PaymentPlanSummary {
  const { currency } = plan;
  return {
    plan_id: plan.planId,
    order_id: plan.orderId,
    membership_member_ids: [...plan.memberIds],
    currency,
    total: majorUnits(totalMinor(plan), currency),
    paid: majorUnits(paidMinor(plan), currency),
    outstanding: majorUnits(outstandingMinor(plan), currency),
    disputed_at: plan.dispute?.sinceUnix ?? null,
  };
}

function instalmentResource(instalment: Instalment, currency: string): PaymentPlan['instalments'][number] {
  return {
    number: instalment.number,
    due: instalment.dueUnix,
    amount: majorUnits(instalment.amountMinor, currency),
    status: instalment.status,
    paid_at: instalment.paidUnix,
    attempts: instalment.attempts,
    failure: instalment.failure,
  };
}

/** Who owes what, and since when. */
export function overduePlanResource({ plan, members }: OverduePlanRecord): OverduePlan {
  const { currency } = plan;
  return {
    plan_id: plan.planId,
    order_id: plan.orderId,
    members: members.map((member) => ({
      membership_member_id: member.memberId,
      member_number: member.memberNumber,
      first_name: member.firstName,
      last_name: member.lastName,
      email_address: member.emailAddress,
    })),
    overdue_since: overdueSinceUnix(plan) ?? 0,
    overdue: majorUnits(overdueMinor(plan), currency),
    outstanding: majorUnits(outstandingMinor(plan), currency),
    currency,
    action_required: plan.instalments.some(({ status }) => status === 'action_required'),
  };
}

const eventTypes = {
  paid: 'instalment.paid',
  failed: 'instalment.failed',
  action_required: 'instalment.action_required',
} as const;

/** The event that announces what became of an instalment. It has no personal data. */
export function instalmentEvent(plan: PlanRecord, instalment: Instalment) {
  const { status } = instalment;
  const outcome = status === 'paid' || status === 'failed' ? status : 'action_required';
  return {
    type: eventTypes[outcome],
    data: { payment_plan: planSummary(plan), instalment: instalmentResource(instalment, plan.currency) },
  } as const;
}
