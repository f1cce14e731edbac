import type { SeatMapRecord } from '../data/membership/config-rows.ts';
import { aisleGaps, rowsWithOtherAisles } from '../domain/seats/aisles.ts';
import { type MapRow, type SeatMap, seatName, seatsOf } from '../domain/seats/seat-map.ts';
import type { Warning } from '../operations/schemas/dry-run.ts';
import type { SeatMap as Resource, SavedSeatMap, SeatMapSummary } from '../operations/schemas/seat-map.ts';

export function seatMapSummary({ seatMapId, code, title, mapVersion, seats }: SeatMapRecord): SeatMapSummary {
  return { seat_map_id: seatMapId, code, title, version: mapVersion, seats };
}

/** The response to who saved it: without the seats, which the caller has. */
export function savedSeatMapResource(record: SeatMapRecord, map: SeatMap, isDryRun: boolean): SavedSeatMap {
  return { ...seatMapSummary(record), zones: zonesOf(map), ...(isDryRun && { warnings: warningsOf(map) }) };
}

function zonesOf(map: SeatMap): Resource['zones'] {
  const counts = new Map<string, number>();
  for (const { zone } of seatsOf(map)) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  return map.zones.map(({ zone, color }) => ({ zone, color, seats: counts.get(zone) ?? 0 }));
}

/** `version` is the one of the seats that are shown, which may be an earlier one. */
export function seatMapResource(record: SeatMapRecord, version: number, map: SeatMap): Resource {
  return {
    ...seatMapSummary(record),
    version,
    seats: seatsOf(map).length,
    zones: zonesOf(map),
    sections: map.sections.map(({ section, rows }) => ({
      section,
      zone: onlyZone(rows),
      rows: rows.map((row) => rowResource(row, map.isDrawn)),
    })),
    kinds: kindsOf(map),
  };
}

function onlyZone(rows: readonly MapRow[]): string | null {
  const zones = new Set(rows.flatMap(({ seats }) => seats.map(({ zone }) => zone)));
  const [zone = null] = zones;
  return zones.size === 1 ? zone : null;
}

function rowResource(row: MapRow, isDrawn: boolean): Resource['sections'][number]['rows'][number] {
  const { seats } = row;
  const zone = onlyZone([row]);
  return {
    row: row.row,
    zone,
    zones: zone === null ? seats.map((seat) => seat.zone) : null,
    seats: seats.map(({ label }) => label),
    aisles: seats.flatMap(({ label }, place) => (seats[place + 1]?.afterAisle ? [label] : [])),
    positions: isDrawn ? seats.map(({ x, y }) => [x, y]) : null,
  };
}

/** The seats that are not standard, in groups of one kind and one wheelchair place. */
function kindsOf({ sections }: SeatMap): Resource['kinds'] {
  const groups = new Map<string, Resource['kinds'][number]>();
  for (const { section, rows } of sections) {
    for (const { row, seats } of rows) {
      for (const { label, kind, companionOf } of seats) {
        if (kind === 'standard') continue;
        const name = `${kind} ${companionOf}`;
        const group = groups.get(name) ?? { kind, seats: [], companion_of: companionOf };
        group.seats.push(seatName(section, row, label));
        groups.set(name, group);
      }
    }
  }
  return [...groups.values()];
}

/** What may be a mistake in a map that is allowed. */
function warningsOf(map: SeatMap): Warning[] {
  return [...lonelySeats(map), ...(map.isDrawn ? otherAisles(map) : [])];
}

function lonelySeats({ sections }: SeatMap): Warning[] {
  return sections.flatMap(({ section, rows }) =>
    rows.flatMap(({ row, seats }) =>
      seats.length === 1
        ? [
            {
              code: 'seat_without_neighbour' as const,
              message: `The row ${section}/${row} has one seat, so no two people can sit together in it.`,
              param: null,
            },
          ]
        : [],
    ),
  );
}

const maxNamedRows = 20;

/** A drawn aisle is found by its gap, row by row, so the same one may be found in one row and not in the next. */
function otherAisles({ sections }: SeatMap): Warning[] {
  return sections.flatMap(({ section, rows }) => {
    const { usual, others } = rowsWithOtherAisles(rows);
    if (others.length === 0) return [];
    const named = others.slice(0, maxNamedRows).map(({ row }) => row);
    const more = others.length - named.length;
    const which = `${named.length === 1 ? 'the row' : 'the rows'} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const message = `In the section ${section}, most rows have ${usual} aisles, and ${which} another number. An aisle is a gap of more than ${aisleGaps} usual gaps of its row: draw it wider, or split the row there.`;
    return [{ code: 'aisles_differ' as const, message, param: 'plan' }];
  });
}
