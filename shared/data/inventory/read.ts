import {
  inventoryStocks,
  isPossible,
  type StockInventory,
  soldThroughout,
  stockInventory,
  withUnseated,
} from '../../domain/inventory/inventory.ts';
import type { OrderCounts } from '../../domain/orders/counts.ts';
import { Fault } from '../../platform/fault.ts';
import { readSales } from '../counters/sales.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { type PricedEvent, readPricedEvent } from '../prices/read.ts';
import { readMapOfEvent } from '../seats/stock.ts';
import { Contended } from '../table/failures.ts';
import type { Table } from '../table/table.ts';
import { readPlaces } from './places.ts';

export interface EventInventory extends PricedEvent {
  readonly sales: OrderCounts;
  readonly stocks: readonly StockInventory[];
}

/** A look takes a few milliseconds. More of them only while tickets move between slices, or seats between rows, at each one. */
const maxLooks = 10;

/**
 * Returns how many places of an event are sold, held, blocked, members' and free; undefined if it does not exist. The counters are read
 * before the stock, so a ticket that is sold meanwhile is held and never counted twice. One that is cancelled meanwhile is free and
 * still sold: then the counters are read again, and say what was sold throughout (ADR 76).
 */
export async function readInventory(table: Table, event: CountedEvent): Promise<EventInventory | undefined> {
  const { orgId, eventId } = event;
  const priced = await readPricedEvent(table, orgId, eventId);
  if (priced === undefined) return undefined;
  const map = await readMapOfEvent(table, orgId, priced.event);
  const stocks = inventoryStocks({ ...priced, zones: map?.zones.map(({ zone }) => zone) ?? [] });
  let sales = await readSales(table, orgId, eventId);
  let contradiction: string | undefined;
  for (let look = 1; look <= maxLooks; look += 1) {
    const placesOf = await readPlaces(table, event, map);
    const inventory = (sold: OrderCounts) => stocks.map((stock) => stockInventory(stock, placesOf(stock), sold));
    const seen = inventory(sales);
    if (seen.every(isPossible)) return { ...priced, sales, stocks: seen };
    const after = await readSales(table, orgId, eventId);
    const throughout = soldThroughout(sales, after);
    const bounded = inventory(throughout);
    if (bounded.every(isPossible)) return { ...priced, sales: throughout, stocks: bounded };
    // What two looks find, with the same figures, is no race.
    const same = JSON.stringify(bounded);
    if (same === contradiction) return { ...priced, sales: throughout, stocks: bounded.map(withUnseated).map(checked) };
    contradiction = same;
    sales = after;
  }
  throw new Contended('Too many concurrent changes to the stock. Try again.');
}

/** The audit reports it, too. A figure that hides it would be believed. */
function checked(inventory: StockInventory): StockInventory {
  if (isPossible(inventory)) return inventory;
  const { stock, capacity, free, sold, held, offered } = inventory;
  const figures = JSON.stringify({ capacity, free, sold, held, offered });
  throw new Fault(`A ${stock.kind} of event ${stock.prices[0]?.eventId} has contradictory figures: ${figures}`);
}
