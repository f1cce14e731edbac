import type { OpenRow } from '../../shared/domain/seats/best-seats.ts';
import { pictureOf } from '../../shared/domain/seats/row-picture.ts';
import type { SeatMap } from '../../shared/domain/seats/seat-map.ts';

/** The rows of a map, with these seats taken: `A1` is seat 1 of row A. */
export function openRows(map: SeatMap, taken: readonly string[] = []): OpenRow[] {
  return map.sections.flatMap(({ section, rows }) =>
    rows.map((row) => ({
      section,
      row: row.row,
      picture: pictureOf(
        row,
        new Set(row.seats.flatMap(({ label }) => (taken.includes(`${row.row}${label}`) ? [label] : []))),
      ),
    })),
  );
}
