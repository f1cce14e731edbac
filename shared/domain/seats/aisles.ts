import type { MapRow } from './seat-map.ts';

/** In a drawn plan, a gap of more than this many usual gaps of its row is an aisle. The usual gap is the median of the row. */
export const aisleGaps = 1.8;

const aislesOf = ({ seats }: MapRow): number => seats.filter(({ afterAisle }) => afterAisle).length;

/** The number of aisles that most rows of a section have, and the rows that have another. */
export function rowsWithOtherAisles(rows: readonly MapRow[]): {
  readonly usual: number;
  readonly others: readonly MapRow[];
} {
  const counts = [...Map.groupBy(rows, aislesOf)].toSorted(([, one], [, other]) => other.length - one.length);
  const [[usual] = [0]] = counts;
  return { usual, others: rows.filter((row) => aislesOf(row) !== usual) };
}
