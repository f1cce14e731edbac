import { readMember } from '../../../data/members/read.ts';
import { parseId } from '../../../domain/ids.ts';
import type { BuyerProof } from '../../../sales/deps.ts';
import type { Deps } from '../../pipeline.ts';
import { problem, referenceMissing } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';
import { authenticateSsoUser } from './authenticate-fan.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** Reads what proves who the buyer is. A token that is sent must be valid; an API key may vouch for a member. */
export async function proveBuyer(
  request: Request,
  { membership_member_id }: { readonly membership_member_id: number | string | null },
): Promise<BuyerProof> {
  if (membership_member_id !== null && request.caller.kind === 'storefront') {
    const message =
      'The parameter customer.membership_member_id needs an API key. A page proves a membership with the token of the fan in X-SSO-Token.';
    throw problem('parameter_unknown', message, { param: 'customer.membership_member_id' });
  }
  const membershipMemberId = membership_member_id === null ? null : await memberNamed(request, membership_member_id);
  if (request.ssoToken === undefined) return { membershipMemberId };
  const { user, link } = await authenticateSsoUser(request);
  return { signedIn: { user, userId: link?.userId ?? null }, membershipMemberId };
}

/** A member of another organisation counts as missing, as everywhere. Otherwise the buyer would pay as somebody who is no member. */
async function memberNamed({ table, caller }: Request, id: number | string): Promise<number> {
  const memberId = parseId(String(id));
  const member = memberId === undefined ? undefined : await readMember(table, caller.orgId, memberId);
  if (member === undefined) throw referenceMissing('member', 'customer.membership_member_id');
  return member.memberId;
}
