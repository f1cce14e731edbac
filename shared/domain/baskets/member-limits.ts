import { isMembershipLine, type LineItem, linePersons } from './line-item.ts';

/** A membership of the buyer: of the signed-in fan, or one that the organisation's server vouches for. */
export interface ProvenMembership {
  readonly memberId: number;
  readonly typeId: number;
  /** The customer of the member, or the member itself if it has none. All memberships that a buyer proves have one owner. */
  readonly owner: string;
  /** Until when it is written down that the membership was used, because a withdrawal asks for it. Absent if none can. */
  readonly withdrawableUntilUnix?: number | undefined;
}

/** Tickets of one price that count against the limit of one member. */
export interface MemberTickets {
  /** Negative for a member that the basket makes: -1 is the first of them. They are counted when they have an id. */
  readonly memberId: number;
  readonly priceIndex: number;
  readonly tickets: number;
  /** The most tickets of the price that the member may have, with those of other orders. */
  readonly limit: number;
}

/** The tickets of a basket or an order at prices with a limit per member. All members have one owner. */
export interface MemberReservation {
  /**
   * The customer of the members, or the member itself if it has none. Their tickets are counted in one item. Empty while only
   * members that the basket makes have tickets.
   */
  readonly owner: string;
  readonly tickets: readonly MemberTickets[];
}

/** How many tickets the members of an owner have, by `memberTicketsKey`. */
export type TicketsByMember = ReadonlyMap<string, number>;

export function memberTicketsKey({ priceIndex, memberId }: Pick<MemberTickets, 'priceIndex' | 'memberId'>): string {
  return `p${priceIndex}m${memberId}`;
}

const noOwnerYet = '';

/** The members that a basket makes prove their types in it, after the memberships that the buyer has proved. */
function newMembersIn(lines: readonly LineItem[]): readonly ProvenMembership[] {
  const types = lines
    .filter(isMembershipLine)
    .filter(({ nextTerm }) => nextTerm === null)
    .flatMap((line) => Array.from({ length: linePersons(line) }, () => line.soldTypeId));
  return types.map((typeId, index) => ({ memberId: -1 - index, typeId, owner: noOwnerYet }));
}

/** The members that a basket renews prove the type of their next term in it. */
export function renewedMembersIn(lines: readonly LineItem[]): readonly ProvenMembership[] {
  return lines.filter(isMembershipLine).flatMap(({ soldTypeId: typeId, nextTerm }) => {
    const { members = [], owner = noOwnerYet } = nextTerm ?? {};
    return members.map(({ memberId }) => ({ memberId, typeId, owner }));
  });
}

/** All memberships that prove a type in a basket. They have one owner, because their tickets are counted in one item. */
export function membershipsIn(
  lines: readonly LineItem[],
  proven: readonly ProvenMembership[],
): readonly ProvenMembership[] {
  const isProven = (one: ProvenMembership): boolean =>
    proven.some(({ memberId, typeId }) => memberId === one.memberId && typeId === one.typeId);
  const known = [...proven, ...renewedMembersIn(lines).filter((one) => !isProven(one))];
  return [...known.filter(({ owner }) => owner === known[0]?.owner), ...newMembersIn(lines)];
}

/** The reservation of the order: the members that the basket has made are known, and belong to the order's customer. */
export function withNewMembers(
  { owner, tickets }: MemberReservation,
  { memberIds, userId }: { readonly memberIds: readonly number[]; readonly userId: number },
): MemberReservation {
  return {
    owner: owner === noOwnerYet ? `u${userId}` : owner,
    tickets: tickets.map((entry) => ({ ...entry, memberId: memberIds[-1 - entry.memberId] ?? entry.memberId })),
  };
}

/** What of a reservation is counted: the tickets of members who have an id. */
export function countedTickets({ tickets }: MemberReservation): readonly MemberTickets[] {
  return tickets.filter(({ memberId }) => memberId > 0);
}

type LimitedLine = LineItem & { readonly maxPerMember: number; readonly membershipTypeId: number };

/** The lines with a limit per member. Several lines of one price count as one. */
export function limitedLines(lines: readonly LineItem[]): readonly LimitedLine[] {
  const limited = lines.filter(
    (line): line is LimitedLine => line.maxPerMember !== null && line.membershipTypeId !== null && line.quantity > 0,
  );
  const byPrice = new Map<number, LimitedLine>();
  for (const line of limited) {
    const quantity = (byPrice.get(line.priceIndex)?.quantity ?? 0) + line.quantity;
    byPrice.set(line.priceIndex, { ...line, quantity });
  }
  return [...byPrice.values()];
}

export type Allocation =
  | { readonly outcome: 'allocated'; readonly reservation: MemberReservation | null }
  | { readonly outcome: 'exceeded'; readonly maxPerMember: number };

/**
 * Assigns the tickets of a basket to the members who buy them: for each price the oldest membership first, as far as its limit
 * allows. A parent with three memberships may buy three times the limit of one. A limit is stated in purchases; tickets are
 * counted, so a group ticket that is refunded in part gives back its part.
 */
export function allocateMemberTickets(
  lines: readonly LineItem[],
  memberships: readonly ProvenMembership[],
  taken: TicketsByMember,
): Allocation {
  const limited = limitedLines(lines);
  const [first] = memberships;
  if (limited.length === 0 || first === undefined) return { outcome: 'allocated', reservation: null };
  const allocated: MemberTickets[] = [];
  for (const { priceIndex, membershipTypeId, maxPerMember, ticketsIncluded, quantity } of limited) {
    const limit = maxPerMember * ticketsIncluded;
    let missing = quantity * ticketsIncluded;
    for (const { memberId } of memberships.filter(({ typeId }) => typeId === membershipTypeId)) {
      const room = limit - (taken.get(memberTicketsKey({ priceIndex, memberId })) ?? 0);
      const tickets = Math.min(missing, Math.max(0, room));
      if (tickets > 0) allocated.push({ memberId, priceIndex, tickets, limit });
      missing -= tickets;
    }
    if (missing > 0) return { outcome: 'exceeded', maxPerMember };
  }
  return { outcome: 'allocated', reservation: { owner: first.owner, tickets: allocated } };
}

/**
 * What is left of the tickets that an order counts when only so many of each price are still sold. Those that are listed last are
 * given back first: the result follows from the order alone.
 */
export function remainingTickets<Entry extends { readonly priceIndex: number; readonly tickets: number }>(
  tickets: readonly Entry[],
  soldByPrice: ReadonlyMap<number, number>,
): readonly Entry[] {
  const left = new Map(soldByPrice);
  return tickets.map((entry) => {
    const kept = Math.min(entry.tickets, left.get(entry.priceIndex) ?? 0);
    left.set(entry.priceIndex, (left.get(entry.priceIndex) ?? 0) - kept);
    return { ...entry, tickets: kept };
  });
}
