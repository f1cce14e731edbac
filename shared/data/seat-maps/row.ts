import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { type MapSeat, type SeatMap, seatKinds } from '../../domain/seats/seat-map.ts';
import { type ItemKey, seatMapPartKey } from '../table/keys.ts';
import { nullable, storedEnum } from '../table/row.ts';

/**
 * A map as it is stored: one compressed text in parts, because 80,000 seats have 1.5 MB and repeat each other. A version is
 * written once and never changes. `p` are the positions of a drawn map, x and y of each seat; `a`, `k` and `c` name seats by their
 * place in the row.
 */
const StoredRow = v.object({
  n: v.string(),
  s: v.array(v.string()),
  /** The zone of the row, or of each seat, by its number. */
  z: v.union([v.number(), v.array(v.number())]),
  /** The seats after an aisle. */
  a: v.optional(v.array(v.number()), []),
  // An unknown kind is one that a later release sells by its own rule: nobody gets it as an ordinary seat.
  k: v.optional(v.record(v.string(), storedEnum(seatKinds, 'companion')), {}),
  c: v.optional(v.record(v.string(), v.string()), {}),
  p: v.optional(v.array(v.number())),
});
const StoredMap = v.object({
  zones: v.array(v.object({ zone: v.string(), color: nullable(v.string()) })),
  sections: v.array(v.object({ n: v.string(), r: v.array(StoredRow) })),
});
type StoredRow = v.InferOutput<typeof StoredRow>;

/** Below the 400 KB of an item. */
const partLength = 300_000;

type PartItem = ItemKey & { readonly part: string };

/** The items of one version. They are few: a transaction writes them with the record of the map. */
export function mapParts(orgId: string, seatMapId: number, version: number, map: SeatMap): readonly PartItem[] {
  const text = gzipSync(JSON.stringify(storedMap(map))).toString('base64');
  return Array.from({ length: Math.ceil(text.length / partLength) }, (_, part) => ({
    ...seatMapPartKey(orgId, seatMapId, version, part),
    part: text.slice(part * partLength, (part + 1) * partLength),
  }));
}

const StoredPart = v.object({ part: v.string() });

export function parseMapParts(items: readonly unknown[]): SeatMap {
  const text = items.map((item) => v.parse(StoredPart, item).part).join('');
  const { zones, sections } = v.parse(StoredMap, JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()));
  let before = 0;
  return {
    zones,
    isDrawn: sections.every(({ r }) => r.every(({ p }) => p !== undefined)),
    sections: sections.map(({ n: section, r }) => ({
      section,
      rows: r.map((row) => {
        before += 1;
        return { row: row.n, seats: seatsOfRow(row, zones, before - 1) };
      }),
    })),
  };
}

function seatsOfRow(
  { s, z, a, k, c, p }: StoredRow,
  zones: readonly { readonly zone: string }[],
  index: number,
): readonly MapSeat[] {
  const aisles = new Set(a);
  return s.map((label, place) => ({
    label,
    zone: zones[(Array.isArray(z) ? z[place] : z) ?? 0]?.zone ?? '',
    kind: k[place] ?? 'standard',
    companionOf: c[place] ?? null,
    afterAisle: aisles.has(place),
    x: p?.[2 * place] ?? place - (s.length - 1) / 2,
    y: p?.[2 * place + 1] ?? index,
  }));
}

function storedMap({ zones, sections, isDrawn }: SeatMap): v.InferInput<typeof StoredMap> {
  const numbers = new Map(zones.map(({ zone }, index) => [zone, index]));
  return {
    zones: [...zones],
    sections: sections.map(({ section, rows }) => ({
      n: section,
      r: rows.map(({ row, seats }) => ({ n: row, ...storedSeats(seats, numbers, isDrawn) })),
    })),
  };
}

function storedSeats(seats: readonly MapSeat[], numbers: ReadonlyMap<string, number>, isDrawn: boolean) {
  const zonesOfSeats = seats.map(({ zone }) => numbers.get(zone) ?? 0);
  const [first = 0] = zonesOfSeats;
  const places = <Value>(pick: (seat: MapSeat) => Value | undefined): [string, Value][] =>
    seats.flatMap((seat, place): [string, Value][] => {
      const value = pick(seat);
      return value === undefined ? [] : [[String(place), value]];
    });
  const kinds = places(({ kind }) => (kind === 'standard' ? undefined : kind));
  const companions = places(({ companionOf }) => companionOf ?? undefined);
  const aisles = places(({ afterAisle }) => afterAisle || undefined);
  return {
    s: seats.map(({ label }) => label),
    z: zonesOfSeats.every((zone) => zone === first) ? first : zonesOfSeats,
    ...(aisles.length > 0 && { a: aisles.map(([place]) => Number(place)) }),
    ...(kinds.length > 0 && { k: Object.fromEntries(kinds) }),
    ...(companions.length > 0 && { c: Object.fromEntries(companions) }),
    ...(isDrawn && { p: seats.flatMap(({ x, y }) => [x, y]) }),
  };
}
