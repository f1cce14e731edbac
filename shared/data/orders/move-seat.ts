import { isSold, type TicketRecord } from '../../domain/orders/order.ts';
import { seatOfTicket, ticketSeat } from '../../domain/orders/ticket-seat.ts';
import type { SeatRefusal } from '../../domain/seats/refusals.ts';
import type { SeatMap } from '../../domain/seats/seat-map.ts';
import { basketOwner, parseSeatName, rowName, type SeenRows } from '../../domain/seats/seat-moves.ts';
import { seatIn, takeProblem } from '../../domain/seats/seen-rows.ts';
import { changeSeats, readSeenRows } from '../seats/rows.ts';
import { barcodeKey, seatRowKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { type NamedTicket, orderPuts } from './change-holder.ts';
import { readOrderAt } from './read.ts';
import type { OrderRef } from './row.ts';

export type MovedTicket =
  | { readonly outcome: 'moved'; readonly ticket: TicketRecord }
  /** The order has no such ticket; it is cancelled or refunded; it has no seat in the rows of the event. */
  | { readonly outcome: 'missing' | 'not_active' | 'no_seat' }
  | { readonly outcome: 'refused'; readonly refusal: SeatRefusal };

interface SeatMoveRequest {
  readonly ref: OrderRef;
  readonly ticketId: number;
  readonly map: SeatMap;
  /** The full name of the seat that the ticket gets. */
  readonly seat: string;
  readonly atUnix: number;
}

/**
 * Gives a ticket another seat of the same zone. One transaction returns the old seat, takes the new one and writes order and ticket, on the
 * condition that the order is as it was read: a refund and a transfer change it too. A scan that is being evaluated reads the ticket again.
 */
export function moveTicketSeat(
  table: Table,
  orgId: string,
  { ref, ticketId, map, seat, atUnix }: SeatMoveRequest,
  sideEffects: SideEffects<NamedTicket> = noSideEffects,
): Promise<MovedTicket> {
  return retryRaces('order', async (): Promise<MovedTicket | undefined> => {
    const placed = await readOrderAt(table, orgId, ref);
    const before = placed.tickets.find((ticket) => ticket.ticketId === ticketId);
    if (before === undefined) return { outcome: 'missing' };
    if (!isSold(before)) return { outcome: 'not_active' };
    const from = seatOfTicket(before);
    if (from === undefined) return { outcome: 'no_seat' };
    if (from === seat) return { outcome: 'moved', ticket: before };
    const { eventId } = placed.order;
    const rows = await readSeenRows(table, orgId, { eventId, map, names: [from, seat] });
    const refusal = moveProblem(from, seat, rows);
    if (refusal !== undefined) return { outcome: 'refused', refusal };
    const after = { ...before, subSectionTitle: null, seatAisle: null, ...ticketSeat(seat), updatedUnix: atUnix };
    const owner = basketOwner(placed.order.orderId);
    const items = [
      ...(await orderPuts(table, orgId, placed, after)),
      seatUpdate(table, orgId, after),
      ...rowChanges(table, orgId, eventId, { from, to: seat, owner, rows }),
    ];
    const refused = await transact(table, items, sideEffects({ before, after }));
    return refused.length === 0 ? { outcome: 'moved', ticket: after } : undefined;
  });
}

function moveProblem(from: string, to: string, rows: SeenRows): SeatRefusal | undefined {
  const [sold, zone] = [seatIn(rows, from)?.zone ?? '', seatIn(rows, to)?.zone];
  if (zone !== undefined && zone !== sold) return { reason: 'seat_wrong_zone', seat: to, zone, sold };
  return takeProblem([to], rows);
}

interface RowChanges {
  readonly from: string;
  readonly to: string;
  readonly owner: string;
  readonly rows: SeenRows;
}

/** A transaction writes a row once, also if both seats are in it. */
function rowChanges(
  table: Table,
  orgId: string,
  eventId: number,
  { from, to, owner, rows }: RowChanges,
): TransactItem[] {
  return [...rows].flatMap(([name, { row, taken }]) => {
    const inRow = (seat: string) => {
      const ref = parseSeatName(seat);
      return ref !== undefined && rowName(ref) === name ? [{ label: ref.label, owner }] : [];
    };
    const key = seatRowKey(orgId, eventId, taken.section, taken.row);
    return [changeSeats(table, key, { takes: inRow(to), returns: inRow(from), size: row.seats.length })];
  });
}

function seatUpdate(
  table: Table,
  orgId: string,
  { barcode, sectionLabel, seatRow, seatTitle, updatedUnix }: TicketRecord,
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: barcodeKey(orgId, barcode),
      UpdateExpression:
        'SET v = v + :one, #at = :at, #section = :section, #row = :row, seat = :seat REMOVE #part, aisle',
      ExpressionAttributeNames: { '#at': 'at', '#section': 'section', '#row': 'row', '#part': 'part' },
      ExpressionAttributeValues: {
        ':one': 1,
        ':at': updatedUnix,
        ':section': sectionLabel,
        ':row': seatRow,
        ':seat': seatTitle,
      },
    },
  };
}
