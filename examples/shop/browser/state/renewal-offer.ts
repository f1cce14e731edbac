import { cancelledMember, type FanMembership, type MembershipType, type MemberTerm } from '../resources.ts';

interface Renewed {
  readonly membership: Pick<FanMembership, 'membership_type_id' | 'membership_member_status_id' | 'expires'>;
  readonly terms: readonly Pick<MemberTerm, 'membership_type_id' | 'until'>[];
}

/** What follows a membership: `now` or from a day on, in Unix seconds. Auto-renewal waits for that day by itself. */
export interface RenewalOffer {
  readonly type: MembershipType;
  readonly from: 'now' | number;
}

/** The next term as the service would sell it; undefined if it would refuse one, so that the page offers none. */
export function renewalOffer(
  { membership, terms }: Renewed,
  types: readonly MembershipType[],
  nowUnix: number,
): RenewalOffer | undefined {
  const { membership_member_status_id: status, expires } = membership;
  if (status === cancelledMember || expires === null) return undefined;
  const last = terms.at(-1);
  const type = nextType(last?.membership_type_id ?? membership.membership_type_id, types);
  if (type === undefined || type.currency === null) return undefined;
  const { available_from_unix: from, available_until_unix: until } = type;
  if (until !== null && until <= nowUnix) return undefined;
  // A type with a fixed end adds nothing to a term that ends then or later.
  const endUnix = Math.max(nowUnix, last?.until ?? expires);
  if (type.term_months === null && type.expires !== null && Date.parse(type.expires) / 1000 <= endUnix)
    return undefined;
  return { type, from: from === null || from <= nowUnix ? 'now' : from };
}

function nextType(typeId: number | null, types: readonly MembershipType[]): MembershipType | undefined {
  const own = types.find(({ membership_type_id }) => membership_type_id === typeId);
  const nextId = own?.renews_as_membership_type_id ?? null;
  if (nextId !== null && nextId !== typeId)
    return types.find(({ membership_type_id }) => membership_type_id === nextId);
  return own?.term_months == null ? undefined : own;
}
