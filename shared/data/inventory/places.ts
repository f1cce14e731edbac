import { movesOf, stockRef } from '../../domain/baskets/stock-moves.ts';
import type { InventoryStock, Places } from '../../domain/inventory/inventory.ts';
import { zonePlaces } from '../../domain/inventory/zone-places.ts';
import { noSeats, type SeatMap } from '../../domain/seats/seat-map.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { readStock } from '../prices/stock.ts';
import { readSections, sectionsOf } from '../seats/shown.ts';
import type { Table } from '../table/table.ts';
import { readOfferedBaskets, readOpenOffers } from '../waiting-list/read.ts';

const noPlaces: Places = { capacity: 0, free: 0, blocked: 0, members: 0, offered: 0 };

/**
 * Reads what the stocks of an event say of their places. Offers are read before the stock and their baskets after it: what is an offer
 * then was held when the stock was read. Numbered seats have no waiting list.
 */
export async function readPlaces(
  table: Table,
  { orgId, eventId }: CountedEvent,
  map: SeatMap | undefined,
): Promise<(stock: InventoryStock) => Places> {
  const offers = map === undefined ? await readOpenOffers(table, orgId, eventId) : [];
  const [stocks, taken] = await Promise.all([
    readStock(table, orgId, eventId),
    readSections(table, orgId, { eventId, sections: sectionsOf(map ?? noSeats) }),
  ]);
  const offered = new Map<number, number>();
  for (const { status, lines, ...basket } of (await readOfferedBaskets(table, orgId, offers)).values()) {
    if (status !== 'open' && status !== 'checking_out') continue;
    for (const { stock, tickets } of movesOf(basket.eventId, lines)) {
      const { index } = stockRef(stock);
      offered.set(index, (offered.get(index) ?? 0) + tickets);
    }
  }
  const zones = zonePlaces(map ?? noSeats, taken);
  const ofStock = (index: number): Places => {
    const { avail: free, capacity } = stocks.get(index) ?? { avail: 0, capacity: 0 };
    return { ...noPlaces, capacity, free, offered: offered.get(index) ?? 0 };
  };
  return (stock) => {
    if (stock.kind === 'zone') return { ...noPlaces, ...zones.get(stock.zone) };
    return ofStock(stock.kind === 'pool' ? stock.pool.index : stock.price.index);
  };
}
