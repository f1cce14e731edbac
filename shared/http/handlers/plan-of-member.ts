import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readPlan } from '../../data/plans/plans.ts';
import { parseId } from '../../domain/ids.ts';
import type { PlanRecord } from '../../domain/plans/plan.ts';
import type { Deps } from '../pipeline.ts';
import { notFound } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { authenticateFan } from './authenticate-fan.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** The member of a path. On a page it must be the signed-in fan's own; another one looks like a missing one. */
async function ownMember(
  request: Request,
  { membership_member_id }: { readonly membership_member_id: string },
): Promise<MemberRecord> {
  const { caller, table } = request;
  const memberId = parseId(membership_member_id);
  const isFan = caller.kind === 'storefront' || request.ssoToken !== undefined;
  const fan = isFan ? await authenticateFan(request) : undefined;
  const member = memberId === undefined ? undefined : await readMember(table, caller.orgId, memberId);
  if (member === undefined || (fan !== undefined && member.userId !== fan.userId)) throw notFound('member');
  return member;
}

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
