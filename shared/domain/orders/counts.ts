import { stockIndexes } from '../prices/pool.ts';
import { isSold, type OrderRecord, type SoldTicket, type TicketRecord } from './order.ts';
import { isComplimentary } from './tender.ts';
import { ticketFeesMinor, ticketPriceMinor } from './ticket-money.ts';

/** The counts of one price of an event. */
export interface PriceCounts {
  /** Tickets that are neither cancelled nor refunded. */
  readonly tickets: number;
  /** Orders that contain at least one of those tickets. */
  readonly orders: number;
  /** The sum of those tickets' face prices, less rebates and discounts. */
  readonly netMinor: number;
  /** The net amount plus the service fees and taxes of those tickets. */
  readonly grossMinor: number;
  /** Tickets that are cancelled or refunded. */
  readonly cancelled: number;
  /** Of `tickets`, those that the organisation has given away. */
  readonly complimentary: number;
}

/** The counts by the index of the price within its event. */
export type OrderCounts = ReadonlyMap<number, PriceCounts>;

export const nothingCounted: PriceCounts = {
  tickets: 0,
  orders: 0,
  netMinor: 0,
  grossMinor: 0,
  cancelled: 0,
  complimentary: 0,
};

/** Returns the counts of one order. */
export function countOrder({ order, tickets }: CountedOrder): OrderCounts {
  const givenAway = isComplimentary(order) ? 1 : 0;
  const counts = new Map<number, PriceCounts>();
  for (const ticket of tickets) {
    const known = counts.get(ticket.priceIndex) ?? nothingCounted;
    counts.set(
      ticket.priceIndex,
      isSold(ticket)
        ? { ...withTicket(known, ticket), complimentary: known.complimentary + givenAway }
        : { ...known, cancelled: known.cancelled + 1 },
    );
  }
  return counts;
}

interface CountedOrder {
  readonly order: Pick<OrderRecord, 'tender'>;
  readonly tickets: readonly TicketRecord[];
}

function withTicket(known: PriceCounts, ticket: TicketRecord): PriceCounts {
  const netMinor = ticketPriceMinor(ticket) - ticket.discountMinor;
  return {
    ...known,
    tickets: known.tickets + 1,
    orders: 1,
    netMinor: known.netMinor + netMinor,
    grossMinor: known.grossMinor + netMinor + ticketFeesMinor(ticket),
  };
}

export function addCounts(counts: readonly OrderCounts[]): OrderCounts {
  const sum = new Map<number, PriceCounts>();
  for (const [price, one] of counts.flatMap((each) => [...each])) {
    sum.set(price, plus(sum.get(price) ?? nothingCounted, one, 1));
  }
  return sum;
}

/** Returns the difference between the counts after and before a change. Prices without a difference are left out. */
export function countChange(before: OrderCounts, after: OrderCounts): OrderCounts {
  const prices = [...new Set([...before.keys(), ...after.keys()])];
  const differences = prices.map((price): [number, PriceCounts] => [
    price,
    plus(after.get(price) ?? nothingCounted, before.get(price) ?? nothingCounted, -1),
  ]);
  return new Map(differences.filter(([, counts]) => Object.values(counts).some((count) => count !== 0)));
}

function plus(one: PriceCounts, other: PriceCounts, sign: 1 | -1): PriceCounts {
  return {
    tickets: one.tickets + sign * other.tickets,
    orders: one.orders + sign * other.orders,
    netMinor: one.netMinor + sign * other.netMinor,
    grossMinor: one.grossMinor + sign * other.grossMinor,
    cancelled: one.cancelled + sign * other.cancelled,
    complimentary: one.complimentary + sign * other.complimentary,
  };
}

/** Returns the number of tickets of each price, by its index within the event. */
export function countTicketsByPrice(tickets: readonly Pick<SoldTicket, 'priceIndex'>[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { priceIndex } of tickets) counts.set(priceIndex, (counts.get(priceIndex) ?? 0) + 1);
  return counts;
}

/** Returns the number of tickets of each stock, by the index of its price or pool. Stock is taken and returned by these numbers. */
export function countTicketsByStock(
  tickets: readonly Pick<SoldTicket, 'priceIndex' | 'poolIndex' | 'ownStock'>[],
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const stocks = tickets.flatMap(({ priceIndex: index, ...stock }) => stockIndexes({ index, ...stock }));
  for (const index of stocks) counts.set(index, (counts.get(index) ?? 0) + 1);
  return counts;
}
