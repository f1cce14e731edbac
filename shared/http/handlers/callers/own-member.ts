import { readMember } from '../../../data/members/read.ts';
import type { MemberRecord } from '../../../data/members/row.ts';
import { parseId } from '../../../domain/ids.ts';
import type { Deps } from '../../pipeline.ts';
import { notFound } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';
import { authenticateFan } from './authenticate-fan.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** Whether a request is made for the fan who signed in: by a page, or by a server that sends the token of the fan. */
export const isForFan = ({ caller, ssoToken }: Pick<Request, 'caller' | 'ssoToken'>): boolean =>
  caller.kind === 'storefront' || ssoToken !== undefined;

interface MemberParams {
  readonly membership_member_id: string;
}

/** The member of a path. On a page it must be the signed-in fan's own; another one looks like a missing one. */
export async function ownMember(request: Request, params: MemberParams): Promise<MemberRecord> {
  return (await memberToChange(request, params)).member;
}

/** The member of a path, and the check of its owner for the transaction that changes it: it may have got another one since. */
export async function memberToChange(
  request: Request,
  { membership_member_id }: MemberParams,
): Promise<{ readonly member: MemberRecord; readonly checkOwner: (current: MemberRecord) => void }> {
  const { caller, table } = request;
  const memberId = parseId(membership_member_id);
  const fan = isForFan(request) ? await authenticateFan(request) : undefined;
  const checkOwner = ({ userId }: MemberRecord): void => {
    if (fan !== undefined && userId !== fan.userId) throw notFound('member');
  };
  const member = memberId === undefined ? undefined : await readMember(table, caller.orgId, memberId);
  if (member === undefined) throw notFound('member');
  checkOwner(member);
  return { member, checkOwner };
}
