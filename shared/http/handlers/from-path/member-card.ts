import type { MemberRecord } from '../../../data/members/row.ts';
import { type OrganisationRecord, readOrganisation } from '../../../data/organisations/organisation.ts';
import type { Deps } from '../../pipeline.ts';
import { notFound, type Problem, problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';
import { ownMember } from '../callers/own-member.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** The member of a path with the organisation, for the card: for a key, or for the fan who owns the membership. */
export async function requireCard(
  request: Request,
  params: { readonly membership_member_id: string },
): Promise<{ readonly member: MemberRecord; readonly organisation: OrganisationRecord }> {
  const [member, organisation] = await Promise.all([
    ownMember(request, params),
    readOrganisation(request.table, request.caller.orgId),
  ]);
  if (organisation === undefined) throw notFound('organisation');
  return { member, organisation };
}

export function cardNotValid(): Problem {
  return problem(
    'card_not_valid',
    'This membership has no card: it is unpaid, cancelled or over, or it has no barcode yet.',
  );
}
