import type { NextTerm } from '../members/next-term.ts';
import type { LinePayments } from '../plans/schedule.ts';
import type { HolderNames } from '../prices/price.ts';
import type { SelfCancel } from '../prices/self-cancel.ts';

export type LineKind = 'ticket' | 'membership';

/** The person that one ticket of a line is for, or whom a membership makes a member. Everything may be unknown. */
export interface Holder {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly memberId: number | null;
  /** Only of a person who becomes a member. */
  readonly emailAddress?: string | null | undefined;
  readonly dateOfBirth?: string | null | undefined;
}

/** A reduction of every unit of a line. */
export interface Adjustment {
  readonly reason: string;
  /** What caused it, such as a code. */
  readonly source: string | null;
  /** What a unit costs less, in minor units. */
  readonly amountMinor: number;
}

/** A number of places that several prices of an event share. Its stock has an index of its own among those of the event. */
export interface PoolRef {
  readonly index: number;
  readonly slices: number;
}

/**
 * A line of a basket: items of one price, or of one membership type. It contains a copy of the price from the time it was first
 * added, so a later price change does not affect the basket. Amounts are in minor units for one purchase of
 * `ticketsIncluded` tickets.
 */
export interface LineItem {
  /** From 1. It is never used again in the basket. */
  readonly lineId: number;
  readonly kind: LineKind;
  /** Null if the line sells no tickets. */
  readonly priceId: number | null;
  /** The index of the price within the event; stock and counters identify the price by it. 0 if the line sells no tickets. */
  readonly priceIndex: number;
  /** The membership type that the line sells; null if it sells tickets. */
  readonly soldTypeId: number | null;
  readonly title: string;
  readonly categoryId: number;
  readonly categoryTitle: string;
  readonly quantity: number;
  /** Of a membership, the people that one purchase makes members, or whose membership it renews. */
  readonly ticketsIncluded: number;
  /** For the first tickets of the line. The others have no holder. */
  readonly holders: readonly Holder[];
  /** The seats of the tickets, in their order, as `section/row/seat`; empty without reserved seating. */
  readonly seats: readonly string[];
  /** The wheelchair places that its companion seats belong to. The basket must have them when it is checked out. */
  readonly neededSeats: readonly string[];
  readonly adjustments: readonly Adjustment[];
  readonly faceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
  /** The percentage of tax that the price contains; null if it is unknown. */
  readonly taxRate: number | null;
  /** Only buyers who prove a paid membership of this type may buy. This is checked at checkout. */
  readonly membershipTypeId: number | null;
  /** The most that one member may buy of the price; null: no limit. */
  readonly maxPerMember: number | null;
  readonly holderNames: HolderNames;
  /** The end of the price's own sale. It may be later than the end of the event's sale. */
  readonly availableUntilUnix: number | null;
  /** The slices that the stock of the price had. A price never loses one, so tickets can be returned to any of them. */
  readonly stockSlices: number;
  /** The pool that the tickets are taken from as well; null: the price has only its own stock. */
  readonly pool: PoolRef | null;
  /** Whether the tickets are taken from the price's own stock. A price in a pool has one only if it has a maximum of its own. */
  readonly ownStock: boolean;
  /** The members that a membership gives their next term; null if it makes new members, or the line sells tickets. */
  readonly nextTerm: NextTerm | null;
  /** Whether the price was only for sale with the code of the basket. */
  readonly needsCode?: boolean | undefined;
  /** On what terms the buyer may cancel tickets of the line; absent if not at all. */
  readonly selfCancel?: SelfCancel | undefined;
  /** How a membership can be paid for; absent if only at once. */
  readonly payments: LinePayments | null;
}

/** A line that sells tickets. */
export type TicketLine = LineItem & { readonly kind: 'ticket'; readonly priceId: number };

export function isTicketLine(line: LineItem): line is TicketLine {
  return line.kind === 'ticket' && line.priceId !== null;
}

/** A line that sells a membership. */
export type MembershipLine = LineItem & { readonly kind: 'membership'; readonly soldTypeId: number };

export function isMembershipLine(line: LineItem): line is MembershipLine {
  return line.kind === 'membership' && line.soldTypeId !== null;
}

/** How many people a line makes members. */
export function linePersons(line: LineItem): number {
  return isMembershipLine(line) ? line.quantity * line.ticketsIncluded : 0;
}

export function basketPersons(lines: readonly LineItem[]): number {
  return lines.reduce((sum, line) => sum + linePersons(line), 0);
}

export function lineTickets(line: LineItem): number {
  return isTicketLine(line) ? line.quantity * line.ticketsIncluded : 0;
}

export function basketTickets(lines: readonly LineItem[]): number {
  return lines.reduce((sum, line) => sum + lineTickets(line), 0);
}
