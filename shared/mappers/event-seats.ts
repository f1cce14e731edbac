import type { PricedEvent } from '../data/prices/read.ts';
import type { TakenSections } from '../data/seats/shown.ts';
import { isPriceInCatalogue } from '../domain/prices/price.ts';
import type { MapRow, MapSection, SeatMap } from '../domain/seats/seat-map.ts';
import { shownRow } from '../domain/seats/seen-rows.ts';
import type { EventSeats } from '../operations/schemas/event-seats.ts';

type Section = EventSeats['sections'][number];

interface Shown {
  /** The sections to show. */
  readonly taken: TakenSections;
  /** Everyone may see it: then only the prices of the catalogue are named. */
  readonly isPublic: boolean;
  readonly hasDetails: boolean;
}

export function eventSeatsResource(
  priced: PricedEvent,
  map: SeatMap,
  { taken, isPublic, hasDetails }: Shown,
): EventSeats {
  const { eventId, seatingMapId, seatingVersion } = priced.event;
  const pricesOf = (zone: string): number[] =>
    priced.prices
      .filter((price) => {
        const category = priced.categories.get(price.categoryId);
        const isSold = price.status === 'active' && category?.status === 'active';
        return category?.zone === zone && (isPublic ? isPriceInCatalogue(price, category) : isSold);
      })
      .map(({ priceId }) => priceId);
  return {
    event_id: String(eventId),
    seat_map_id: seatingMapId,
    version: seatingVersion,
    sections: map.sections
      .filter(({ section }) => taken.has(section))
      .map((section) => sectionResource(section, taken, hasDetails ? pricesOf : undefined)),
  };
}

function sectionResource(
  { section, rows }: MapSection,
  taken: TakenSections,
  pricesOf: ((zone: string) => number[]) | undefined,
): Section {
  const owners = new Map((taken.get(section) ?? []).map((row) => [row.row, row.owners]));
  const zones = [...new Set(rows.flatMap(({ seats }) => seats.map(({ zone }) => zone)))];
  const shown = rows.map((row) => rowResource(section, row, owners.get(row.row) ?? new Map(), pricesOf !== undefined));
  return {
    section,
    zone: zones.length === 1 ? (zones[0] ?? null) : null,
    free: shown.reduce((sum, { free }) => sum + free, 0),
    rows: shown,
    ...(pricesOf !== undefined && {
      price_ids: zones.flatMap(pricesOf),
      zones: zones.map((zone) => ({ zone, price_ids: pricesOf(zone) })),
    }),
  };
}

function rowResource(
  section: string,
  row: MapRow,
  owners: ReadonlyMap<string, string>,
  hasDetails: boolean,
): Section['rows'][number] {
  const { seats } = shownRow(row, { section, owners });
  return {
    row: row.row,
    free: [...seats].filter((seat) => seat === '.').length,
    seats,
    ...(hasDetails && {
      labels: row.seats.map(({ label }) => label),
      kinds: row.seats.map(({ kind }) => kind),
      zones: row.seats.map(({ zone }) => zone),
    }),
  };
}
