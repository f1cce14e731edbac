import { isMoneyWithdrawn } from '../../data/journal/withdrawn.ts';
import { activeTermsOf, boughtTogether } from '../../data/members/bought-together.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { nextTermOf, readRenewalOffer } from '../../data/membership/renewal-offer.ts';
import { readOrganisation } from '../../data/organisations/organisation.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import type { MembershipOffer } from '../../domain/baskets/membership-offer.ts';
import {
  activeTerms,
  type NextTerm,
  ordersOfRest,
  replacingTermDates,
  restMinor,
} from '../../domain/members/next-term.ts';
import { hasOpenInstalments, isCancelledMember } from '../../domain/members/status.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { sumOf } from '../../domain/money.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { nothing, type OfferedItem, readShownType } from './offered-item.ts';
import type { SaleContext } from './sale-context.ts';

/** What a request names. Null: it names none. Undefined: it names something that cannot be an id. */
export interface RenewalWish {
  readonly renews: number | undefined | null;
  readonly replaces: number | undefined | null;
  readonly namesPrice: boolean;
  readonly typeId: number | undefined | null;
  /** The members that renew together, if they were not bought here; null for a holder without one. */
  readonly holders: readonly (number | undefined | null)[];
}

/**
 * Reads the next term of a member and of all who were bought with it: the type that the last term is renewed as, or the type that
 * replaces it from now on. To a page the member must belong to the linked fan: a foreign member and one that does not exist look the
 * same.
 */
export async function readRenewedItem(context: SaleContext, wish: RenewalWish): Promise<OfferedItem> {
  const { table, orgId } = context;
  const change = wish.replaces === null ? 'renews' : 'replaces';
  if (wish.namesPrice) return nothing({ reason: 'renewal_names_price' });
  if (wish.renews !== null && wish.replaces !== null) return nothing({ reason: 'renews_and_replaces' });
  const memberId = wish[change] ?? undefined;
  const [member, isOfFan] = await Promise.all([
    memberId === undefined ? undefined : readMember(table, orgId, memberId),
    ownership(context),
  ]);
  if (!isOfFan(member)) return nothing({ reason: 'member_of_another', change });
  if (member === undefined) return nothing({ reason: 'member_unknown', change });
  // One that was cancelled with a refund goes on if the refund is refused.
  if (member.pendingRefund !== null) return nothing({ reason: 'term_being_refunded', change });
  if (isCancelledMember(member)) return nothing({ reason: 'not_renewable', change, because: 'cancelled' });
  const terms = await activeTermsOf(table, orgId, member);
  const last = terms.at(-1);
  if (wish.holders.some((holder) => last !== undefined || holder === null)) {
    return nothing({ reason: 'renewal_names_holders' });
  }
  const named = wish.holders.flatMap((holder) => holder ?? []);
  // All who were bought together are renewed together.
  const members = await boughtTogether(table, orgId, member, { last, named });
  if (members.some(({ pendingRefund }) => pendingRefund !== null)) {
    return nothing({ reason: 'term_being_refunded', change });
  }
  return change === 'replaces'
    ? replacingItem(context, members, wish)
    : renewingItem(context, { members, terms }, wish);
}

/** An API key may renew every member of its organisation. */
async function ownership({ isPublic, findFan }: SaleContext): Promise<(member: MemberRecord | undefined) => boolean> {
  if (!isPublic) return () => true;
  const link = await findFan?.();
  return (member) => link !== undefined && member?.userId === link.userId;
}

async function renewingItem(
  { table, orgId, clock }: SaleContext,
  { members, terms }: { readonly members: readonly MemberRecord[]; readonly terms: readonly TermRecord[] },
  { typeId }: RenewalWish,
): Promise<OfferedItem> {
  const change = 'renews';
  const found = await readRenewalOffer(table, orgId, { members, terms, nowUnix: unixSeconds(clock) });
  if (found.outcome === 'no_type') return nothing({ reason: 'not_renewable', change, because: 'no_next_type' });
  const { offer } = found;
  const { type } = offer;
  if (typeId !== null && typeId !== type.typeId) {
    return nothing({ reason: 'renewed_as_other_type', typeId: type.typeId });
  }
  if (found.outcome === 'too_many_people') return tooManyMembers(change, members, offer);
  if (found.outcome === 'too_short') return nothing({ reason: 'not_renewable', change, because: 'ends_no_later' });
  // A member has one plan. Who has paid the last one may begin another.
  const isOpen = members.some(hasOpenInstalments);
  return { kind: 'membership', offer: isOpen ? withoutOptions(offer) : offer, nextTerm: found.nextTerm };
}

/** The offer of a membership that is paid at once. */
function withoutOptions(offer: MembershipOffer): MembershipOffer {
  return { ...offer, payments: offer.payments && { ...offer.payments, options: [] } };
}

/** A change of type from now on. What was paid for the rest of the terms that it replaces reduces its price. */
async function replacingItem(
  context: SaleContext,
  members: readonly MemberRecord[],
  { typeId }: RenewalWish,
): Promise<OfferedItem> {
  const { table, orgId } = context;
  const change = 'replaces';
  if (typeId === null) return nothing({ reason: 'replacing_type_missing' });
  const offer = await readShownType(context, typeId);
  if (offer === undefined) return nothing({ reason: 'type_unknown' });
  if (members.some((member) => member.typeId === typeId)) return nothing({ reason: 'replaced_by_same_type' });
  if (members.some(hasOpenInstalments)) return nothing({ reason: 'instalments_outstanding' });
  if (members.length > offer.type.persons) return tooManyMembers(change, members, offer);
  const at = await timeOf(context);
  if (replacingTermDates(offer.type, at) === undefined) {
    return nothing({ reason: 'not_renewable', change, because: 'type_has_expired' });
  }
  const terms = await Promise.all(members.map(({ memberId }) => termsOfMember(table, orgId, memberId)));
  const active = terms.map(activeTerms);
  if (active.some((some) => some.some(({ fromUnix }) => fromUnix > at.nowUnix))) {
    return nothing({ reason: 'replaced_term_has_later', memberIds: members.map(({ memberId }) => memberId) });
  }
  const replaced = active.map((some) => some.at(-1));
  if (replaced.some((term) => term !== undefined && term.currency !== offer.type.currency)) {
    return nothing({ reason: 'not_renewable', change, because: 'other_currency' });
  }
  const rests = replaced.map((term, index) =>
    term === undefined ? 0 : restMinor(term, terms[index] ?? [], at.nowUnix),
  );
  const creditMinor = sumOf(rests);
  if (creditMinor > 0 && (await isMoneyWithdrawn(table, orgId, paidBy(replaced, terms)))) {
    return nothing({ reason: 'not_renewable', change, because: 'payment_withdrawn' });
  }
  const next = nextTermOf(members);
  return {
    kind: 'membership',
    offer,
    nextTerm: {
      ...next,
      members: next.members.map((member, index) => ({ ...member, replacedTermId: replaced[index]?.termId ?? null })),
      change,
      creditMinor,
    },
  };
}

/** The orders that paid for the rest of replaced terms, each among the terms of its member. */
function paidBy(
  replaced: readonly (TermRecord | undefined)[],
  terms: readonly (readonly TermRecord[])[],
): ReadonlySet<number> {
  return new Set(
    replaced.flatMap((term, index) => (term === undefined ? [] : ordersOfRest(term.termId, terms[index] ?? []))),
  );
}

async function timeOf({ table, orgId, clock }: SaleContext) {
  const organisation = await readOrganisation(table, orgId);
  return { nowUnix: unixSeconds(clock), timezone: organisation?.timezone ?? 'UTC' };
}

function tooManyMembers(
  change: NextTerm['change'],
  members: readonly MemberRecord[],
  { type }: MembershipOffer,
): OfferedItem {
  return nothing({ reason: 'too_many_members', change, members: members.length, persons: type.persons });
}
