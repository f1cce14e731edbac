import type { SoldTicket } from './order.ts';

/** How many tickets there are of each price, by its index within the event: what stock is taken and given back by. */
export function ticketsByPrice(tickets: readonly Pick<SoldTicket, 'priceIndex'>[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { priceIndex } of tickets) counts.set(priceIndex, (counts.get(priceIndex) ?? 0) + 1);
  return counts;
}
