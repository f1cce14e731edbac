import { limitMoves } from '../../data/baskets/member-tickets.ts';
import { returnStock } from '../../data/prices/stock.ts';
import { returnSeats } from '../../data/seats/rows.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { limitCounts, remainingReservations } from '../../domain/baskets/limit-counts.ts';
import { stockRef } from '../../domain/baskets/stock-moves.ts';
import type { ChangedOrder } from '../../domain/orders/change-order.ts';
import { countTicketsByPrice, countTicketsByStock } from '../../domain/orders/counts.ts';
import { isSold, type OrderWithTickets } from '../../domain/orders/order.ts';
import { seatOfTicket } from '../../domain/orders/ticket-seat.ts';
import { basketOwner, seatMoves } from '../../domain/seats/seat-moves.ts';
import type { CheckoutDeps } from '../deps.ts';

/** A cancelled ticket was returned when it was cancelled, and may be sold again by now. */
export function returnedStock(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { before, after, changed, ended }: ChangedOrder,
): TransactItem[] {
  const { eventId } = after.order;
  const soldIds = new Set(before.tickets.filter(isSold).map(({ ticketId }) => ticketId));
  const returnedTickets = changed.filter(({ ticketId }) => soldIds.has(ticketId));
  const returned = countTicketsByStock(returnedTickets);
  const seats = seatMoves(
    eventId,
    returnedTickets.flatMap((ticket) => seatOfTicket(ticket) ?? []),
  );
  return [
    ...seats.map((move) => returnSeats(table, orgId, move, basketOwner(after.order.orderId))),
    ...[...returned].map(([index, tickets]) => returnStock(table, orgId, { eventId, index }, tickets)),
    ...[...membershipsByType(before, ended)].map(([typeId, memberships]) =>
      returnStock(table, orgId, stockRef({ kind: 'type', typeId }), memberships),
    ),
  ];
}

/** How many places return to the capacity of each type: those of memberships, and those that members kept from earlier terms. */
function membershipsByType(before: OrderWithTickets, ended: ChangedOrder['ended']): ReadonlyMap<number, number> {
  const soldIds = new Set(before.memberships.filter(isSold).map(({ memberId }) => memberId));
  const places = ended
    .filter(({ memberId }) => soldIds.has(memberId))
    .flatMap(({ typeId, ownStock, placeReturned = false, returnedPlaces = [] }) => [
      ...(ownStock && !placeReturned ? [typeId] : []),
      ...returnedPlaces,
    ]);
  const counts = new Map<number, number>();
  for (const typeId of places) counts.set(typeId, (counts.get(typeId) ?? 0) + 1);
  return counts;
}

/** Members and persons may buy again what they have returned. */
export function returnedToLimits(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { before, after }: ChangedOrder,
): readonly TransactItem[] {
  const { order } = before;
  const remaining = ({ tickets }: OrderWithTickets) =>
    limitCounts(remainingReservations(order, countTicketsByPrice(tickets.filter(isSold))));
  return limitMoves(table, { orgId, eventId: order.eventId, before: remaining(before), after: remaining(after) });
}
