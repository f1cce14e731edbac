import type { MembershipOffer } from '../../domain/baskets/membership-offer.ts';
import { dayOfTerms, type NextTerm, nextTermDates } from '../../domain/members/next-term.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import type { MemberRecord } from '../members/row.ts';
import { readOrganisation } from '../organisations/organisation.ts';
import type { Table } from '../table/table.ts';
import { readMembershipOffer } from './offer.ts';

/** `no_type`: the type has none that follows it. `too_many_people`: that one is for fewer. `too_short`: it adds nothing. */
export type RenewalOffer =
  | { readonly outcome: 'offered'; readonly offer: MembershipOffer; readonly nextTerm: NextTerm }
  | { readonly outcome: 'no_type' }
  | { readonly outcome: 'too_many_people'; readonly offer: MembershipOffer }
  | { readonly outcome: 'too_short'; readonly offer: MembershipOffer };

interface RenewedTerm {
  readonly members: readonly MemberRecord[];
  /** The terms of the first of them, who have the same. */
  readonly terms: readonly TermRecord[];
  readonly nowUnix: number;
}

/** The next term of members, if their type is renewed. Whether its type is on sale is decided when it is added to a basket. */
export async function readRenewalOffer(
  table: Table,
  orgId: string,
  { members, terms, nowUnix }: RenewedTerm,
): Promise<RenewalOffer> {
  const offer = await nextOffer(table, orgId, terms.at(-1)?.typeId ?? members[0]?.typeId ?? null);
  if (offer === undefined) return { outcome: 'no_type' };
  const { type } = offer;
  if (members.length > type.persons) return { outcome: 'too_many_people', offer };
  const timezone = (await readOrganisation(table, orgId))?.timezone ?? 'UTC';
  const day = dayOfTerms(terms, timezone);
  if (members.some((member) => nextTermDates(type, member, { nowUnix, timezone, day }) === undefined)) {
    return { outcome: 'too_short', offer };
  }
  const nextTerm = {
    ...nextTermOf(members),
    ...(day !== undefined && { day }),
    change: 'renews',
    creditMinor: 0,
  } as const;
  return { outcome: 'offered', offer, nextTerm };
}

/** The members as they are now, and who has them. */
export function nextTermOf(members: readonly MemberRecord[]): Pick<NextTerm, 'owner' | 'members'> {
  const [first] = members;
  return {
    owner: first?.userId == null ? `m${first?.memberId}` : `u${first.userId}`,
    members: members.map(({ memberId, expiresUnix, orderId, userId }) => ({
      memberId,
      expiresUnix,
      orderId,
      ...(userId !== null && { userId }),
    })),
  };
}

/** The type of the next term. A membership of the same type keeps its place, so it takes none from the capacity. */
async function nextOffer(table: Table, orgId: string, typeId: number | null): Promise<MembershipOffer | undefined> {
  const own = typeId === null ? undefined : await readMembershipOffer(table, orgId, typeId);
  if (own === undefined) return undefined;
  const { renewsAsTypeId, termMonths } = own.type;
  if (renewsAsTypeId !== null && renewsAsTypeId !== typeId) return readMembershipOffer(table, orgId, renewsAsTypeId);
  return termMonths === null ? undefined : { ...own, stockSlices: null };
}
