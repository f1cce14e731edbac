import type { MapRow, MapSeat } from './seat-map.ts';

/**
 * The picture of a row by which every rule judges: a seat is open if nobody has taken it and no block closes it, whatever zone it
 * is in. Everything else, an aisle and the end of the row are walls.
 */
export interface RowPicture {
  readonly seats: readonly MapSeat[];
  /** By the position in the row. */
  readonly open: readonly boolean[];
}

export function pictureOf({ seats }: MapRow, taken: ReadonlySet<string>): RowPicture {
  return { seats, open: seats.map(({ label }) => !taken.has(label)) };
}

/** The picture after a take, or before one. */
export function withSeats({ seats, open }: RowPicture, positions: Iterable<number>, isOpen: boolean): RowPicture {
  const changed = [...open];
  for (const position of positions) changed[position] = isOpen;
  return { seats, open: changed };
}

/** Whether nothing is between a seat and the one before it. */
export function isBeside(seats: readonly MapSeat[], position: number): boolean {
  return position > 0 && seats[position]?.afterAisle === false;
}

/** Seats side by side: the position of the first one, and how many there are. */
export interface Run {
  readonly from: number;
  readonly length: number;
}

/** The runs of open seats. */
export function openRuns({ seats, open }: RowPicture): readonly Run[] {
  return runsOf(
    seats,
    seats.flatMap((_, position) => (open[position] ? [position] : [])),
  );
}

/** The groups in which these seats, in the order of the row, are side by side. */
export function runsOf(seats: readonly MapSeat[], positions: readonly number[]): readonly Run[] {
  const runs: { from: number; length: number }[] = [];
  for (const position of positions) {
    const last = runs.at(-1);
    const isNext = last !== undefined && last.from + last.length === position && isBeside(seats, position);
    if (isNext) last.length += 1;
    else runs.push({ from: position, length: 1 });
  }
  return runs;
}

export function positionsOf({ from, length }: Run): readonly number[] {
  return Array.from({ length }, (_, index) => from + index);
}
