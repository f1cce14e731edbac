import { isForFan, memberToChange } from '../../../shared/http/handlers/callers/own-member.ts';
import { cancellationProblem, checkCancellation } from '../../../shared/http/handlers/problems/cancellation-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { memberCancellation } from '../../../shared/mappers/member-cancellation.ts';
import { cancelMember } from '../../../shared/operations/members/cancel-member.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';

export const handle: Handle<typeof cancelMember> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  checkCancellation(body, isForFan(deps));
  const { member, checkOwner } = await memberToChange(deps, params);
  const { when, refund } = body;
  const result = await cancelMembership(
    { table, orgId: caller.orgId, clock, requestId },
    { memberId: member.memberId, checkOwner, when, refund },
    (cancelled) => receipt(memberCancellation(cancelled, when)),
  );
  if (result.outcome !== 'cancelled') throw cancellationProblem(result);
  return memberCancellation(result, when);
};

export const handler = pipeline(cancelMember, handle);
