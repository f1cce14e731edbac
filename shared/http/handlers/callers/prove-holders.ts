import { membersOfCustomer } from '../../../data/members/of-customer.ts';
import { readMember } from '../../../data/members/read.ts';
import type { MemberRecord } from '../../../data/members/row.ts';
import type { GivenHolder } from '../../../domain/baskets/holders.ts';
import type { Holder } from '../../../domain/baskets/line-item.ts';
import { parseId } from '../../../domain/ids.ts';
import type { SsoLink } from '../../../domain/sso/provider.ts';
import { isFutureDay } from '../../../domain/time/calendar-day.ts';
import type { GivenHolders } from '../../../operations/baskets/holder-fields.ts';
import { unixSeconds } from '../../../platform/clock.ts';
import type { Deps } from '../../pipeline.ts';
import { problem, referenceMissing } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';
import { bornInTheFuture } from '../input/born-in-the-future.ts';
import { authenticateSsoUser } from './authenticate-fan.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** The holders of a request. Throws a problem if one has a membership that does not exist or that the caller must not name. */
export async function proveHolders(
  request: Request,
  given: GivenHolders,
  list = 'holders',
): Promise<readonly GivenHolder[]> {
  const holders = (given ?? []).map(
    ({ first_name, last_name, membership_member_id, email, date_of_birth }): Holder => ({
      firstName: first_name?.trim() ?? null,
      lastName: last_name?.trim() ?? null,
      // No member has the id 0, so an invalid id finds nobody.
      memberId: membership_member_id === null ? null : (parseId(String(membership_member_id)) ?? 0),
      ...(email !== null && { emailAddress: email.trim() }),
      ...(date_of_birth !== null && { dateOfBirth: date_of_birth }),
    }),
  );
  const nowUnix = unixSeconds(request.clock);
  const unborn = holders.findIndex(({ dateOfBirth }) => dateOfBirth != null && isFutureDay(dateOfBirth, nowUnix));
  if (unborn !== -1) throw bornInTheFuture(`${list}[${unborn}].date_of_birth`);
  // Also without a membership: a token that is sent must be valid, as everywhere.
  const fan = request.ssoToken === undefined ? undefined : await authenticateSsoUser(request);
  const memberIds = [...new Set(holders.flatMap(({ memberId }) => memberId ?? []))];
  if (memberIds.length === 0) return holders;
  const members = await namedMembers(request, fan?.link, { holders, memberIds, list });
  return holders.map((holder) => ({ ...holder, memberName: members.get(holder.memberId ?? 0) }));
}

type NamedMembers = ReadonlyMap<number, Pick<MemberRecord, 'firstName' | 'lastName'>>;

async function namedMembers(
  request: Request,
  link: SsoLink | undefined,
  { holders, memberIds, list }: { holders: readonly Holder[]; memberIds: readonly number[]; list: string },
): Promise<NamedMembers> {
  const isFan = request.caller.kind === 'storefront';
  const known = isFan ? await membersOfFan(request, link) : await existingMembers(request, memberIds);
  const index = holders.findIndex(({ memberId }) => memberId !== null && !known.has(memberId));
  if (index === -1) return known;
  const param = `${list}[${index}].membership_member_id`;
  if (!isFan) throw referenceMissing('member', param);
  const message =
    'This membership does not belong to the fan. Send the token of a linked fan who holds it in X-SSO-Token, or name no membership.';
  throw problem('membership_not_proven', message, { param });
}

/** An API key vouches for the members of its organisation. */
async function existingMembers({ table, caller }: Request, memberIds: readonly number[]): Promise<NamedMembers> {
  const members = await Promise.all(memberIds.map((memberId) => readMember(table, caller.orgId, memberId)));
  return byId(members.filter((member) => member !== undefined));
}

async function membersOfFan({ table, caller }: Request, link: SsoLink | undefined): Promise<NamedMembers> {
  if (link === undefined) return new Map();
  const members = await membersOfCustomer(table, caller.orgId, link.userId);
  return byId(members);
}

const byId = (members: readonly MemberRecord[]): NamedMembers =>
  new Map(members.map(({ memberId, firstName, lastName }) => [memberId, { firstName, lastName }]));
