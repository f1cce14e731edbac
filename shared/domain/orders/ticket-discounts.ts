import { allocate, sumOf } from '../money.ts';
import { type TicketMoney, ticketCostMinor, ticketPriceMinor } from './ticket-money.ts';

/**
 * Gives the tickets of an order their parts of a discount that is known for the whole order only: that of an import. Then a
 * refund of any tickets returns what these cost. The parts are in proportion to the prices; fees are reduced only by what the
 * prices do not cover.
 */
export function withDiscounts<Ticket extends TicketMoney>(
  tickets: readonly Ticket[],
  { discountMinor, currency }: { readonly discountMinor: number; readonly currency: string },
): readonly Ticket[] {
  const openMinor = discountMinor - sumOf(tickets.map((ticket) => ticket.discountMinor));
  if (openMinor <= 0) return tickets;
  const prices = tickets.map((ticket) => Math.max(0, ticketPriceMinor(ticket) - ticket.discountMinor));
  const weights = openMinor <= sumOf(prices) ? prices : tickets.map((ticket) => Math.max(0, ticketCostMinor(ticket)));
  const parts = allocate(openMinor, weights, currency);
  return tickets.map((ticket, index) => ({
    ...ticket,
    discountMinor: ticket.discountMinor + (parts[index] ?? 0),
  }));
}

interface ReducedOrder {
  readonly discountMinor: number;
  readonly transactionFeeMinor: number;
  readonly currency: string;
  readonly tickets: readonly TicketMoney[];
  readonly memberships?: readonly TicketMoney[];
}

const unitsIn = ({ tickets, memberships = [] }: ReducedOrder): readonly TicketMoney[] => [...tickets, ...memberships];

/** A discount belongs to tickets. What it exceeds all of them by, which only an import can have, reduces the fee on the order. */
export function withReducedFee<Order extends ReducedOrder>(order: Order): Order {
  const { transactionFeeMinor, discountMinor } = order;
  const excessMinor = discountMinor - ticketsCostMinor(unitsIn(order).map((one) => ({ ...one, discountMinor: 0 })));
  if (excessMinor <= 0) return order;
  return {
    ...order,
    transactionFeeMinor: transactionFeeMinor - excessMinor,
    discountMinor: discountMinor - excessMinor,
  };
}

/** Returns why the discounts of an order are wrong; undefined if they are not. */
export function discountProblem(order: ReducedOrder): string | undefined {
  const units = unitsIn(order);
  if (order.discountMinor < sumOf(units.map((unit) => unit.discountMinor))) {
    return 'its discount is smaller than those of its tickets';
  }
  const reduced = withReducedFee(order);
  const isBelowZero = withDiscounts(units, reduced).some((unit) => ticketCostMinor(unit) < 0);
  const isTooLarge = isBelowZero || reduced.transactionFeeMinor < 0;
  return isTooLarge ? 'its discount is larger than its tickets and fees' : undefined;
}

export function ticketsCostMinor(tickets: readonly TicketMoney[]): number {
  return sumOf(tickets.map(ticketCostMinor));
}
