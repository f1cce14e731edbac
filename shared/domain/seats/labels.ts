import { seatMapLimits } from './seat-map.ts';

export interface LabelledSeat {
  readonly label: string;
  readonly afterAisle: boolean;
}

const range = /^(\d{1,6})-(\d{1,6})$/;

/** A label, or a range of numbers. A range may count down. */
interface Part {
  readonly text: string;
  readonly from: number;
  readonly step: 1 | -1;
  readonly size: number;
}

function partOf(text: string): Part {
  const [, first, last] = range.exec(text) ?? [];
  if (first === undefined || last === undefined) return { text, from: 0, step: 1, size: 1 };
  const [from, to] = [Number(first), Number(last)];
  return { text, from, step: to < from ? -1 : 1, size: Math.abs(to - from) + 1 };
}

function labelsOf({ text, from, step, size }: Part): readonly string[] {
  return range.test(text) ? Array.from({ length: size }, (_, index) => String(from + index * step)) : [text];
}

/**
 * Reads the seats of a row: `1-24`, `1-12|13-24` with an aisle in between, `1,3,5` or `A,B,C`. Returns how many seats there are if
 * they are too many for a row, without listing them.
 */
export function parseLabels(text: string): readonly LabelledSeat[] | { readonly tooMany: number } {
  const blocks = text.split('|').map((block) => block.split(',').map((part) => partOf(part.trim())));
  const count = blocks.flat().reduce((sum, { size }) => sum + size, 0);
  if (count > seatMapLimits.seatsInRow) return { tooMany: count };
  return blocks.flatMap((block, index) =>
    block.flatMap(labelsOf).map((label, place) => ({ label, afterAisle: index > 0 && place === 0 })),
  );
}
