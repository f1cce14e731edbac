import type { CustomerAttributes } from '../customers/attributes.ts';
import type { EventRecord } from '../events/event.ts';
import type { RenewableMember } from '../members/next-term.ts';
import type { Phase } from '../phases/phase.ts';
import type { Basket } from './basket.ts';
import type { BasketRefusal } from './changes.ts';
import { isMembershipLine } from './line-item.ts';
import {
  type Allocation,
  allocateMemberTickets,
  limitedLines,
  membershipsIn,
  type ProvenMembership,
  type TicketsByMember,
} from './member-limits.ts';
import { allocatePersonTickets, type CountedPerson, hasPersonLimit } from './person-limits.ts';

/** What a checkout is decided by, besides the basket and the request. It is read at the time of the checkout. */
export interface CheckoutFacts {
  /** The event of the basket; undefined if it no longer exists. */
  readonly event: Pick<EventRecord, 'statusId' | 'startUnix' | 'cancelledUnix'> | undefined;
  /** The phases of the event; by default none. */
  readonly phases?: readonly Phase[];
  /** The current paid memberships that the buyer has proved. */
  readonly memberships: readonly ProvenMembership[];
  /** The attributes of the buyer, if a phase requires one. */
  readonly attributes?: CustomerAttributes;
  /** How many tickets these members have at prices with a limit per member, without those of this basket. */
  readonly memberTickets?: TicketsByMember;
  /** Who buys, and has bought in phases with a limit per person; null if no limit asks for it. */
  readonly person?: CountedPerson | null;
  /** The members that the basket renews, as they are now. */
  readonly renewed?: ReadonlyMap<number, RenewableMember>;
  /** Whether a bank has withdrawn what the basket credits for replaced terms. */
  readonly isCreditWithdrawn?: boolean;
}

/** The membership types that the buyer must prove, each by a paid membership. */
export function requiredMembershipTypes({ lines }: Basket): readonly number[] {
  const types = lines.flatMap(({ membershipTypeId }) => (membershipTypeId === null ? [] : [membershipTypeId]));
  return [...new Set(types)];
}

/** Whether a basket cannot be sold to nobody in particular: a membership, a price for members, and a limit need a person. */
export function needsCustomer(basket: Basket, { phases = [] }: CheckoutFacts, nowUnix: number): boolean {
  const isForMembers = requiredMembershipTypes(basket).length > 0 || limitedLines(basket.lines).length > 0;
  return isForMembers || basket.lines.some(isMembershipLine) || hasPersonLimit(basket, phases, nowUnix);
}

function exceeded({ maxPerMember }: Extract<Allocation, { outcome: 'exceeded' }>): BasketRefusal {
  return { reason: 'too_many_per_member', maxPerMember };
}

function isMembershipProven(basket: Basket, memberships: readonly ProvenMembership[]): boolean {
  return requiredMembershipTypes(basket).every((type) => memberships.some(({ typeId }) => typeId === type));
}

export type AllowedBuyer =
  | { readonly refusal: BasketRefusal }
  | {
      readonly refusal?: undefined;
      readonly reservations: Pick<Basket, 'reservation' | 'personReservation' | 'memberPricesOf'>;
    };

/** What the checkout of this buyer counts against limits; or why the buyer may not buy the basket. */
export function allowBuyer(basket: Basket, facts: CheckoutFacts, nowUnix: number): AllowedBuyer {
  const { memberships: proven, memberTickets = new Map(), phases = [], person: buyer = null } = facts;
  const memberships = membershipsIn(basket.lines, proven);
  if (!isMembershipProven(basket, memberships)) return { refusal: { reason: 'membership_not_proven' } };
  const members = allocateMemberTickets(basket.lines, memberships, memberTickets);
  if (members.outcome === 'exceeded') return { refusal: exceeded(members) };
  const person = allocatePersonTickets(basket, phases, buyer, nowUnix);
  if (person.outcome === 'exceeded') {
    return { refusal: { reason: 'too_many_per_person', maxPerPerson: person.maxPerPerson } };
  }
  const memberPricesOf = membersUsing(basket, proven, nowUnix);
  return { reservations: { reservation: members.reservation, personReservation: person.reservation, memberPricesOf } };
}

/** The members whose memberships prove a price of the basket, and can be withdrawn from. Those that it makes are known with the order. */
function membersUsing(basket: Basket, proven: readonly ProvenMembership[], nowUnix: number): number[] | undefined {
  const required = requiredMembershipTypes(basket);
  const using = proven.filter(
    ({ typeId, withdrawableUntilUnix = 0 }) => required.includes(typeId) && nowUnix < withdrawableUntilUnix,
  );
  return using.length === 0 ? undefined : using.map(({ memberId }) => memberId);
}
