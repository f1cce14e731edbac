import { countedTickets, type MemberReservation, memberTicketsKey, remainingTickets } from './member-limits.ts';
import { type PersonReservation, personTicketsKey } from './person-limits.ts';

/** What a basket or an order has reserved of limits: of its members, and of the person who buys. */
export interface Reservations {
  readonly reservation?: MemberReservation | null | undefined;
  readonly personReservation?: PersonReservation | null | undefined;
}

/** Tickets that are counted in the item of an owner under a name, and the most that the count may be. */
export interface LimitCount {
  readonly owner: string;
  readonly name: string;
  readonly tickets: number;
  readonly limit: number;
}

/** What is counted for a basket or an order. Entries with one name belong together. */
export function limitCounts({ reservation, personReservation }: Reservations): readonly LimitCount[] {
  const members = reservation == null ? [] : countedTickets(reservation);
  return [
    ...members.map((entry) => ({
      owner: reservation?.owner ?? '',
      name: memberTicketsKey(entry),
      tickets: entry.tickets,
      limit: entry.limit,
    })),
    ...(personReservation?.tickets ?? []).map((entry) => ({
      owner: personReservation?.owner ?? '',
      name: personTicketsKey(entry),
      tickets: entry.tickets,
      limit: entry.limit,
    })),
  ];
}

/** What is left of the reservations of an order when only so many tickets of each price are still sold. */
export function remainingReservations(
  { reservation, personReservation }: Reservations,
  soldByPrice: ReadonlyMap<number, number>,
): Reservations {
  return {
    reservation: reservation && { ...reservation, tickets: remainingTickets(reservation.tickets, soldByPrice) },
    personReservation: personReservation && {
      ...personReservation,
      tickets: remainingTickets(personReservation.tickets, soldByPrice),
    },
  };
}
