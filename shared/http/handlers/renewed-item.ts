import { activeTermsOf, boughtTogether } from '../../data/members/bought-together.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readMembershipOffer } from '../../data/membership/offer.ts';
import { nextTermOf, readRenewalOffer } from '../../data/membership/renewal-offer.ts';
import { readOrganisation } from '../../data/organisations/organisation.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import type { MembershipOffer } from '../../domain/baskets/membership-offer.ts';
import { parseId } from '../../domain/ids.ts';
import {
  activeTerms,
  isCancelledMember,
  type NextTerm,
  replacingTermDates,
  restMinor,
} from '../../domain/members/next-term.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { sumOf } from '../../domain/money.ts';
import type { GivenHolders } from '../../operations/baskets/holder-fields.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { Deps } from '../pipeline.ts';
import { type Problem, problem, referenceMissing } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { authenticateSsoUser } from './authenticate-fan.ts';
import { laterTermExists } from './later-term-exists.ts';
import type { OfferedItem } from './offered-item.ts';
import { refundInProgress } from './refund-in-progress.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

interface RenewedIds {
  readonly renews: string | number | null;
  readonly replaces: string | number | null;
  readonly price_id: string | number | null;
  readonly membership_type_id: string | number | null;
  /** The members that renew together, if they were not bought here. */
  readonly holders: GivenHolders;
}

/**
 * Reads the next term of a member and of all who were bought with it: the type that the last term is renewed as, or the type that
 * replaces it from now on. With a storefront token the member must belong to the linked fan: a foreign member and one that does not
 * exist look the same.
 */
export async function readRenewedItem(request: Request, ids: RenewedIds): Promise<OfferedItem> {
  const { table, caller } = request;
  const { orgId } = caller;
  const change = ids.replaces === null ? 'renews' : 'replaces';
  if (ids.price_id !== null) return conflict('price_id', 'A renewal sells a membership. Leave out price_id.');
  if (ids.renews !== null && ids.replaces !== null) return conflict('replaces', 'Send either renews or replaces.');
  const memberId = parseId(String(ids[change]));
  const [member, isOfFan] = await Promise.all([
    memberId === undefined ? undefined : readMember(table, orgId, memberId),
    ownership(request),
  ]);
  if (!isOfFan(member)) return { kind: 'missing', problem: notTheirs(change) };
  if (member === undefined) return { kind: 'missing', problem: referenceMissing('member', change) };
  // One that was cancelled with a refund goes on if the refund is refused.
  if (member.pendingRefund !== null) return isRefunded(change);
  if (isCancelledMember(member)) return notRenewable(change, 'It was cancelled. Buy a new membership.');
  const terms = await activeTermsOf(table, orgId, member);
  const last = terms.at(-1);
  const holders = ids.holders ?? [];
  if (holders.some(({ membership_member_id: id }) => last !== undefined || id === null)) {
    return conflict('holders', 'The members that were bought together are renewed together. Leave out holders.');
  }
  const named = holders.flatMap(({ membership_member_id }) => parseId(String(membership_member_id)) ?? []);
  // All who were bought together are renewed together.
  const members = await boughtTogether(table, orgId, member, { last, named });
  if (members.some(({ pendingRefund }) => pendingRefund !== null)) return isRefunded(change);
  return change === 'replaces' ? replacingItem(request, members, ids) : renewingItem(request, { members, terms }, ids);
}

/** An API key may renew every member of its organisation. */
async function ownership(request: Request): Promise<(member: MemberRecord | undefined) => boolean> {
  if (request.caller.kind !== 'storefront') return () => true;
  const link = request.ssoToken === undefined ? undefined : (await authenticateSsoUser(request)).link;
  return (member) => link !== undefined && member?.userId === link.userId;
}

async function renewingItem(
  { table, caller, clock }: Request,
  { members, terms }: { readonly members: readonly MemberRecord[]; readonly terms: readonly TermRecord[] },
  { membership_type_id }: RenewedIds,
): Promise<OfferedItem> {
  const found = await readRenewalOffer(table, caller.orgId, { members, terms, nowUnix: unixSeconds(clock) });
  if (found.outcome === 'no_type') {
    return notRenewable('renews', 'Its type has no type that follows it, and no term of so many months.');
  }
  const { offer } = found;
  const { type } = offer;
  if (membership_type_id !== null && parseId(String(membership_type_id)) !== type.typeId) {
    const message = `This membership is renewed as the membership type ${type.typeId}. Send that membership_type_id, or leave it out.`;
    return conflict('membership_type_id', message);
  }
  if (found.outcome === 'too_many_people') return tooManyPeople('renews', members, offer);
  if (found.outcome === 'too_short') {
    return notRenewable('renews', 'It lasts as long as the membership that would follow it.');
  }
  // A member has one plan. Who has paid the last one may begin another.
  const isOpen = members.some(({ statusId }) => statusId === 2);
  return { kind: 'membership', offer: isOpen ? withoutOptions(offer) : offer, nextTerm: found.nextTerm };
}

/** The offer of a membership that is paid at once. */
function withoutOptions(offer: MembershipOffer): MembershipOffer {
  return { ...offer, payments: offer.payments && { ...offer.payments, options: [] } };
}

/** A change of type from now on. What was paid for the rest of the terms that it replaces reduces its price. */
async function replacingItem(
  request: Request,
  members: readonly MemberRecord[],
  { membership_type_id }: RenewedIds,
): Promise<OfferedItem> {
  const { table, caller } = request;
  if (membership_type_id === null) {
    const message = 'The parameter membership_type_id is required: the type that replaces the membership.';
    return { kind: 'missing', problem: problem('parameter_missing', message, { param: 'membership_type_id' }) };
  }
  const typeId = parseId(String(membership_type_id));
  const offer = typeId === undefined ? undefined : await readMembershipOffer(table, caller.orgId, typeId);
  if (offer === undefined || (caller.kind === 'storefront' && !offer.isInCatalogue)) {
    return { kind: 'missing', problem: referenceMissing('membership type', 'membership_type_id') };
  }
  if (members.some((member) => member.typeId === typeId)) {
    return conflict('membership_type_id', 'The member has this membership type already. To extend it, send renews.');
  }
  if (members.some(({ statusId }) => statusId === 2)) {
    const message = 'Instalments of this membership are outstanding. Pay them before the type changes.';
    return { kind: 'missing', problem: problem('plan_open', message, { param: 'replaces' }) };
  }
  if (members.length > offer.type.persons) return tooManyPeople('replaces', members, offer);
  const at = await timeOf(request);
  if (replacingTermDates(offer.type, at) === undefined) {
    return notRenewable('replaces', 'Memberships of that type have expired.');
  }
  const terms = await Promise.all(members.map(({ memberId }) => termsOfMember(table, caller.orgId, memberId)));
  const active = terms.map(activeTerms);
  if (active.some((some) => some.some(({ fromUnix }) => fromUnix > at.nowUnix))) {
    const memberIds = members.map(({ memberId }) => memberId);
    return { kind: 'missing', problem: laterTermExists(memberIds, 'replaces') };
  }
  const replaced = active.map((some) => some.at(-1));
  if (replaced.some((term) => term !== undefined && term.currency !== offer.type.currency)) {
    return notRenewable('replaces', 'That type is sold in another currency.');
  }
  const rests = replaced.map((term, index) =>
    term === undefined ? 0 : restMinor(term, terms[index] ?? [], at.nowUnix),
  );
  const next = nextTermOf(members);
  return {
    kind: 'membership',
    offer,
    nextTerm: {
      ...next,
      members: next.members.map((member, index) => ({ ...member, replacedTermId: replaced[index]?.termId ?? null })),
      change: 'replaces',
      creditMinor: sumOf(rests),
    },
  };
}

async function timeOf({ table, caller, clock }: Request) {
  const organisation = await readOrganisation(table, caller.orgId);
  return { nowUnix: unixSeconds(clock), timezone: organisation?.timezone ?? 'UTC' };
}

function tooManyPeople(change: NextTerm['change'], members: readonly MemberRecord[], { type }: MembershipOffer) {
  return notRenewable(
    change,
    `${members.length} people have it together, and the membership type is for ${type.persons}.`,
  );
}

function notTheirs(param: NextTerm['change']): Problem {
  const message =
    'This membership does not belong to the fan. Send the token of the linked fan who holds it in X-SSO-Token, or renew it with an API key.';
  return problem('membership_not_proven', message, { param });
}

function conflict(param: string, message: string): OfferedItem {
  return { kind: 'missing', problem: problem('parameter_conflict', message, { param }) };
}

function isRefunded(change: NextTerm['change']): OfferedItem {
  return { kind: 'missing', problem: refundInProgress('Nothing was added.', change) };
}

function notRenewable(param: NextTerm['change'], reason: string): OfferedItem {
  const message = `This membership cannot be ${param === 'renews' ? 'renewed' : 'replaced'}. ${reason}`;
  return { kind: 'missing', problem: problem('membership_not_renewable', message, { param }) };
}
