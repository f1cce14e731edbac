import type { MemberRecord } from '../../../data/members/row.ts';
import { readPlan } from '../../../data/plans/plans.ts';
import type { PlanRecord } from '../../../domain/plans/plan.ts';
import type { Deps } from '../../pipeline.ts';
import { notFound } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';
import { ownMember } from '../callers/own-member.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** The member of a path, and the plan by which the membership is paid. */
export async function planOfMember(
  request: Request,
  params: { readonly membership_member_id: string },
): Promise<{ readonly member: MemberRecord; readonly plan: PlanRecord }> {
  const member = await ownMember(request, params);
  const { planId } = member;
  const plan = planId === null ? undefined : await readPlan(request.table, request.caller.orgId, planId);
  if (plan === undefined) throw notFound('payment plan');
  return { member, plan };
}
