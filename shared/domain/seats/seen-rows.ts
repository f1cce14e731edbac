import type { SeatRefusal, ShownRow } from './refusals.ts';
import type { MapRow, MapSeat } from './seat-map.ts';
import { parseSeatName, rowName, type SeenRows, seatMoves, type TakenRow } from './seat-moves.ts';

/** The seat with this name; undefined if the map has none. */
export function seatIn(rows: SeenRows, name: string): MapSeat | undefined {
  const ref = parseSeatName(name);
  return ref && rows.get(rowName(ref))?.row.seats.find(({ label }) => label === ref.label);
}

/** Why nobody can take these seats: one is unknown, named twice or taken. */
export function takeProblem(names: readonly string[], rows: SeenRows): SeatRefusal | undefined {
  const unknown = names.find((name) => seatIn(rows, name) === undefined);
  if (unknown !== undefined) return { reason: 'seat_unknown', seat: unknown };
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return { reason: 'seat_twice', seat: name };
    seen.add(name);
  }
  const taken = names.filter((name) => {
    const ref = parseSeatName(name);
    return ref !== undefined && rows.get(rowName(ref))?.taken.owners.has(ref.label);
  });
  return taken.length === 0 ? undefined : { reason: 'seat_taken', seats: taken, rows: shownRows(taken, rows) };
}

/** The rows of these seats as they are now. */
export function shownRows(names: readonly string[], rows: SeenRows): readonly ShownRow[] {
  return seatMoves(0, names).flatMap((move) => {
    const seen = rows.get(rowName(move));
    return seen ? [shownRow(seen.row, seen.taken)] : [];
  });
}

export function shownRow({ row, seats }: MapRow, { section, owners }: Pick<TakenRow, 'section' | 'owners'>): ShownRow {
  return { section, row, seats: seats.map(({ label }) => (owners.has(label) ? 'x' : '.')).join('') };
}
