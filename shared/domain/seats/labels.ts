import { seatMapLimits } from './seat-map.ts';

export interface LabelledSeat {
  readonly label: string;
  readonly afterAisle: boolean;
}

/** `1-24`, `1 - 24`, `A1-A24` and `Box 1-5`: the prefix is the same at both ends, or only at the first. */
const range = /^(\D*)(\d+)\s*[-–]\s*(?:\1)?(\d+)$/;

/** A label, or a range of numbers. A range may count down. */
interface Part {
  readonly size: number;
  readonly label: (index: number) => string;
}

function partOf(text: string): Part {
  const [, prefix = '', first, last] = range.exec(text) ?? [];
  if (first === undefined || last === undefined) return { size: 1, label: () => text };
  const [from, to] = [Number(first), Number(last)];
  const step = to < from ? -1 : 1;
  // `A01-A12` keeps its zeros; numbers alone never did.
  const digits = prefix === '' ? 0 : Math.min(first.length, last.length);
  const size = Math.abs(to - from) + 1;
  return {
    size: Number.isNaN(size) ? Infinity : size,
    label: (index) => prefix + String(from + index * step).padStart(digits, '0'),
  };
}

function labelsOf({ size, label }: Part): readonly string[] {
  return Array.from({ length: size }, (_, index) => label(index));
}

/**
 * Reads the seats of a row: `1-24`, `A1-A24`, `1-12|13-24` with an aisle in between, `1,3,5` or `A,B,C`. Returns how many seats there are if
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
