import type { EventRecord } from '../../domain/events/event.ts';
import type { PriceCategoryRecord, PriceRecord, Stock } from '../../domain/prices/price.ts';
import type { MapSection, SeatMap } from '../../domain/seats/seat-map.ts';
import { readMapVersion } from '../seat-maps/seat-maps.ts';
import type { Table } from '../table/table.ts';
import { type IsTaken, readShownSeats, takenInRows } from './picture.ts';
import { readSections, sectionsOf } from './shown.ts';

interface Seated {
  readonly event: Pick<EventRecord, 'eventId' | 'seatingMapId' | 'seatingVersion'>;
  readonly categories: ReadonlyMap<number, PriceCategoryRecord>;
  readonly prices: readonly PriceInCategory[];
}

type PriceInCategory = Pick<PriceRecord, 'index' | 'categoryId'>;

type Stocks = ReadonlyMap<number, Stock>;
/** By the name of the zone. */
export type ZoneStocks = ReadonlyMap<string, Stock>;

/** The map of an event with reserved seating; undefined if it has none. */
export async function readMapOfEvent(
  table: Table,
  orgId: string,
  { seatingMapId, seatingVersion }: Seated['event'],
): Promise<SeatMap | undefined> {
  if (seatingMapId === null || seatingVersion === null) return undefined;
  return readMapVersion(table, orgId, seatingMapId, seatingVersion);
}

/**
 * The stocks of an event as prices show them: the seats of its zone are the capacity of a price, unless it has a maximum of its
 * own. Without a seat map they are those that were read. With `nowMs`, the seats are those that a web page shows.
 */
export async function withSeatStocks(
  table: Table,
  orgId: string,
  { event, categories, prices }: Seated,
  { stocks, nowMs }: { readonly stocks: Stocks; readonly nowMs?: number | undefined },
): Promise<Stocks> {
  const zones = await readZoneStocks(table, orgId, event, nowMs);
  return zones === undefined ? stocks : seatStocks({ categories, prices }, stocks, zones);
}

/** The seats of each zone of an event; undefined if it has no seat map. */
export async function readZoneStocks(
  table: Table,
  orgId: string,
  event: Seated['event'],
  nowMs?: number,
): Promise<ZoneStocks | undefined> {
  const map = await readMapOfEvent(table, orgId, event);
  if (map === undefined) return undefined;
  const taken =
    nowMs === undefined
      ? takenInRows(await readSections(table, orgId, { eventId: event.eventId, sections: sectionsOf(map) }))
      : await readShownSeats(table, orgId, { event, map }, nowMs);
  return zoneStocks(map, taken);
}

/** The stocks with the seats of each price. */
export function seatStocks(
  { categories, prices }: Pick<Seated, 'categories'> & { readonly prices: readonly PriceInCategory[] },
  stocks: Stocks,
  zones: ZoneStocks,
): Stocks {
  const seated = prices.map(({ index, categoryId }): [number, Stock] => {
    const seats = zones.get(categories.get(categoryId)?.zone ?? '') ?? { avail: 0, capacity: 0 };
    const own = stocks.get(index);
    return [index, own === undefined ? seats : { ...own, avail: Math.min(own.avail, seats.avail) }];
  });
  return new Map([...stocks, ...seated]);
}

/** How many seats each zone has, and how many of them are free. */
function zoneStocks({ sections }: SeatMap, takenIn: (section: MapSection) => IsTaken): ZoneStocks {
  const zones = new Map<string, { avail: number; capacity: number }>();
  for (const section of sections) {
    const isTaken = takenIn(section);
    let place = 0;
    for (const { seats } of section.rows) {
      for (const { zone } of seats) {
        const stock = zones.get(zone) ?? { avail: 0, capacity: 0 };
        if (stock.capacity === 0) zones.set(zone, stock);
        stock.capacity += 1;
        stock.avail += isTaken(place) ? 0 : 1;
        place += 1;
      }
    }
  }
  return zones;
}
