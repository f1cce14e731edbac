import { type Phase, phasesAt, phasesOfPrice } from '../phases/phase.ts';
import { isTicketLine, type LineItem, lineTickets } from './line-item.ts';
import type { TicketsByMember } from './member-limits.ts';

/** What of a basket decides: what an organisation keeps for somebody ignores phases. */
interface LimitedBasket {
  readonly longHold: object | null;
  readonly personReservation: PersonReservation | null;
  readonly lines: readonly LineItem[];
}

/** Tickets of one price that count against the limit of a phase for one person. */
export interface PersonTickets {
  /** The number of the phase. */
  readonly phase: number;
  readonly priceIndex: number;
  readonly tickets: number;
  /** The most tickets that the person may have of the phase, of all its prices and with those of other orders. */
  readonly limit: number;
}

/** The tickets of a basket or an order that were bought in phases with a limit per person. */
export interface PersonReservation {
  /** The customer that a fan is linked to, or the hash of an address. */
  readonly owner: string;
  readonly tickets: readonly PersonTickets[];
}

/** The owner of the counts of a fan who is linked to a customer. */
export const customerOwner = (userId: number): string => `u${userId}`;

/** The owner of the counts of a person who is not signed in. The hash stands for the address. */
export const addressOwner = (hash: string): string => `a${hash}`;

/** Whether the hash of the buyer's address counts what the person buys. It goes with the erasure of the buyer. */
export function isCountedByAddress({
  personReservation,
}: {
  readonly personReservation?: PersonReservation | null | undefined;
}): boolean {
  return personReservation?.owner.startsWith(addressOwner('')) === true;
}

/** The name of a count among those of an owner. */
export const personTicketsKey = ({ phase }: Pick<PersonTickets, 'phase'>): string => `f${phase}`;

/** The tickets of lines in phases with a limit per person. */
function limitedTickets(
  { longHold }: Pick<LimitedBasket, 'longHold'>,
  lines: readonly LineItem[],
  phases: readonly Phase[],
  nowUnix: number,
): readonly PersonTickets[] {
  if (longHold !== null || phases.every(({ maxPerPerson }) => maxPerPerson === null)) return [];
  const byPrice = new Map<number, PersonTickets>();
  for (const line of lines.filter(isTicketLine)) {
    const { priceIndex } = line;
    const { open } = phasesAt(phasesOfPrice(phases, priceIndex), nowUnix);
    if (open === undefined || open.maxPerPerson === null) continue;
    const tickets = (byPrice.get(priceIndex)?.tickets ?? 0) + lineTickets(line);
    byPrice.set(priceIndex, { phase: open.number, priceIndex, tickets, limit: open.maxPerPerson });
  }
  return [...byPrice.values()];
}

/** Returns the limit that the tickets exceed, with those that the person has already; undefined if they exceed none. */
function exceededLimit(tickets: readonly PersonTickets[], taken: TicketsByMember): number | undefined {
  const isExceeded = ({ phase, limit }: PersonTickets): boolean => {
    const wanted = tickets.filter((one) => one.phase === phase).reduce((sum, one) => sum + one.tickets, 0);
    return wanted + (taken.get(personTicketsKey({ phase })) ?? 0) > limit;
  };
  return tickets.find(isExceeded)?.limit;
}

/** How many tickets a person who has these may still buy in a phase; infinitely many if it has no limit. */
export function leftInPhase({ number: phase, maxPerPerson }: Phase, taken: TicketsByMember): number {
  return (maxPerPerson ?? Number.POSITIVE_INFINITY) - (taken.get(personTicketsKey({ phase })) ?? 0);
}

/** A person, and the tickets that the person has of phases with a limit, by `personTicketsKey`; those of the basket included. */
export interface CountedPerson {
  readonly owner: string;
  readonly taken: TicketsByMember;
}

/** What the person has besides what the basket itself has reserved. */
function takenElsewhere(
  { personReservation: own }: Pick<LimitedBasket, 'personReservation'>,
  { owner, taken }: CountedPerson,
): TicketsByMember {
  const elsewhere = new Map(taken);
  for (const { phase, tickets } of own?.owner === owner ? own.tickets : []) {
    const name = personTicketsKey({ phase });
    elsewhere.set(name, (elsewhere.get(name) ?? 0) - tickets);
  }
  return elsewhere;
}

interface OfferedPhases {
  readonly phases: readonly Phase[];
  readonly buyer?: { readonly person?: CountedPerson | undefined } | undefined;
}

/** Returns the limit per person that a basket with these lines exceeds, with what a known fan has; undefined if it exceeds none. */
export function limitOfBasket(
  basket: LimitedBasket,
  lines: readonly LineItem[],
  { phases, buyer }: OfferedPhases,
  nowUnix: number,
): number | undefined {
  const taken = buyer?.person === undefined ? new Map() : takenElsewhere(basket, buyer.person);
  return exceededLimit(limitedTickets(basket, lines, phases, nowUnix), taken);
}

/** Whether a checkout of the basket has to know who the buyer is, and what the person has bought. */
export function hasPersonLimit(basket: LimitedBasket, phases: readonly Phase[], nowUnix: number): boolean {
  return limitedTickets(basket, basket.lines, phases, nowUnix).length > 0;
}

type PersonAllocation =
  | { readonly outcome: 'allocated'; readonly reservation: PersonReservation | null }
  | { readonly outcome: 'exceeded'; readonly maxPerPerson: number };

/** Counts the tickets of a basket for the person who buys them. */
export function allocatePersonTickets(
  basket: LimitedBasket,
  phases: readonly Phase[],
  person: CountedPerson | null,
  nowUnix: number,
): PersonAllocation {
  const tickets = limitedTickets(basket, basket.lines, phases, nowUnix);
  if (tickets.length === 0 || person === null) return { outcome: 'allocated', reservation: null };
  const maxPerPerson = exceededLimit(tickets, takenElsewhere(basket, person));
  if (maxPerPerson !== undefined) return { outcome: 'exceeded', maxPerPerson };
  return { outcome: 'allocated', reservation: { owner: person.owner, tickets } };
}
