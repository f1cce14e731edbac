import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readMembershipOffer } from '../../data/membership/offer.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { readOrganisation } from '../../data/organisations/organisation.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import type { MembershipOffer, SoldType } from '../../domain/baskets/membership-offer.ts';
import { parseId } from '../../domain/ids.ts';
import { activeTerms, isCancelledMember, type NextTerm, nextTermDates } from '../../domain/members/next-term.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { isSold } from '../../domain/orders/order.ts';
import type { GivenHolders } from '../../operations/baskets/holder-fields.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { Deps } from '../pipeline.ts';
import { type Problem, problem, referenceMissing } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { authenticateSsoUser } from './authenticate-fan.ts';
import type { OfferedItem } from './offered-item.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

interface RenewedIds {
  readonly renews: string | number;
  readonly price_id: string | number | null;
  readonly membership_type_id: string | number | null;
  /** The members that renew together, if they were not bought here. */
  readonly holders: GivenHolders;
}

/**
 * Reads the next term of a member: the type that its last term is renewed as, and who is renewed with it. With a storefront token
 * the member must belong to the linked fan: a foreign member and one that does not exist look the same.
 */
export async function readRenewedItem(request: Request, ids: RenewedIds): Promise<OfferedItem> {
  const { table, caller } = request;
  const { orgId } = caller;
  if (ids.price_id !== null) return conflict('price_id', 'A renewal sells a membership. Leave out price_id.');
  const memberId = parseId(String(ids.renews));
  const [member, isOfFan] = await Promise.all([
    memberId === undefined ? undefined : readMember(table, orgId, memberId),
    ownership(request),
  ]);
  if (!isOfFan(member)) return { kind: 'missing', problem: notTheirs() };
  if (member === undefined) return { kind: 'missing', problem: referenceMissing('member', 'renews') };
  if (isCancelledMember(member)) return notRenewable('It was cancelled. Buy a new membership.');
  const last = activeTerms(await termsOfMember(table, orgId, member.memberId)).at(-1);
  const holders = ids.holders ?? [];
  if (holders.some(({ membership_member_id: id }) => last !== undefined || id === null)) {
    return conflict('holders', 'The members that were bought together are renewed together. Leave out holders.');
  }
  const [offer, members] = await Promise.all([
    nextOffer(request, last?.typeId ?? member.typeId),
    membersOf(request, member, last, holders),
  ]);
  return offer === undefined
    ? notRenewable('Its type has no type that follows it, and no term of so many months.')
    : renewedItem(request, offer, members, ids);
}

/** An API key may renew every member of its organisation. */
async function ownership(request: Request): Promise<(member: MemberRecord | undefined) => boolean> {
  if (request.caller.kind !== 'storefront') return () => true;
  const link = request.ssoToken === undefined ? undefined : (await authenticateSsoUser(request)).link;
  return (member) => link !== undefined && member?.userId === link.userId;
}

async function renewedItem(
  { table, caller, clock }: Request,
  offer: MembershipOffer,
  members: readonly MemberRecord[],
  { membership_type_id }: RenewedIds,
): Promise<OfferedItem> {
  const { type } = offer;
  if (membership_type_id !== null && parseId(String(membership_type_id)) !== type.typeId) {
    const message = `This membership is renewed as the membership type ${type.typeId}. Send that membership_type_id, or leave it out.`;
    return conflict('membership_type_id', message);
  }
  if (members.length > type.persons) {
    return notRenewable(`${members.length} people renew together, and the membership type is for ${type.persons}.`);
  }
  const organisation = await readOrganisation(table, caller.orgId);
  const at = { nowUnix: unixSeconds(clock), timezone: organisation?.timezone ?? 'UTC' };
  if (members.some(({ expiresUnix }) => nextTermDates(type, expiresUnix, at) === undefined)) {
    return notRenewable('It lasts as long as the membership that would follow it.');
  }
  return { kind: 'membership', offer, nextTerm: nextTermOf(members) };
}

function nextTermOf(members: readonly MemberRecord[]): NextTerm {
  const [first] = members;
  return {
    owner: first?.userId == null ? `m${first?.memberId}` : `u${first.userId}`,
    members: members.map(({ memberId, expiresUnix, orderId }) => ({ memberId, expiresUnix, orderId })),
  };
}

/** The type of the next term. A membership of the same type keeps its place, so it takes none from the capacity. */
async function nextOffer(
  { table, caller: { orgId } }: Request,
  typeId: number | null,
): Promise<MembershipOffer | undefined> {
  const own = typeId === null ? undefined : await readMembershipOffer(table, orgId, typeId);
  if (own === undefined) return undefined;
  const { renewsAsTypeId, termMonths }: SoldType = own.type;
  if (renewsAsTypeId !== null && renewsAsTypeId !== typeId) return readMembershipOffer(table, orgId, renewsAsTypeId);
  return termMonths === null ? undefined : { ...own, stockSlices: null };
}

/** All who were bought together are renewed together, without those who were cancelled since. */
async function membersOf(
  { table, caller: { orgId } }: Request,
  member: MemberRecord,
  last: TermRecord | undefined,
  holders: NonNullable<GivenHolders>,
): Promise<readonly MemberRecord[]> {
  const placed = last && (await readOrderWithTickets(table, orgId, last.orderId));
  const lineId = placed?.memberships.find(({ memberId }) => memberId === member.memberId)?.lineId;
  const bought = (placed?.memberships ?? []).filter((one) => one.lineId === lineId && isSold(one));
  const named = holders.flatMap(({ membership_member_id }) => parseId(String(membership_member_id)) ?? []);
  const others = new Set([...named, ...bought.map(({ memberId }) => memberId)]);
  others.delete(member.memberId);
  const found = await Promise.all([...others].map((memberId) => readMember(table, orgId, memberId)));
  return [member, ...found.flatMap((one) => (one === undefined || isCancelledMember(one) ? [] : [one]))];
}

function notTheirs(): Problem {
  const message =
    'This membership does not belong to the fan. Send the token of the linked fan who holds it in X-SSO-Token, or renew it with an API key.';
  return problem('membership_not_proven', message, { param: 'renews' });
}

function conflict(param: string, message: string): OfferedItem {
  return { kind: 'missing', problem: problem('parameter_conflict', message, { param }) };
}

function notRenewable(reason: string): OfferedItem {
  const message = `This membership cannot be renewed. ${reason}`;
  return { kind: 'missing', problem: problem('membership_not_renewable', message, { param: 'renews' }) };
}
