import { seatName } from '../seats/seat-map.ts';
import { parseSeatName } from '../seats/seat-moves.ts';
import type { Seat, TicketStock } from './order.ts';

type PlacedTicket = Pick<Seat, 'sectionLabel' | 'seatRow' | 'seatTitle'> & Pick<TicketStock, 'takesSeat'>;

/** The seat that a ticket has in the rows of its event. An imported ticket only says where it is. */
export function seatOfTicket({ takesSeat, sectionLabel, seatRow, seatTitle }: PlacedTicket): string | undefined {
  return takesSeat ? seatName(sectionLabel ?? '', seatRow ?? '', seatTitle ?? '') : undefined;
}

/** Section, row and seat in the fields of a ticket. `takesSeat` says that the row of the event has it: a refund returns it there. */
export function ticketSeat(name: string | null): Pick<PlacedTicket, 'takesSeat'> & Partial<Seat> {
  const ref = name === null ? undefined : parseSeatName(name);
  return ref === undefined
    ? {}
    : { takesSeat: true, sectionLabel: ref.section, seatRow: ref.row, seatTitle: ref.label };
}
