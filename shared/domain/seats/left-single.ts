import { runsOf } from './row-picture.ts';
import { isForWheelchair, newSingles, type RowTake } from './single-seats.ts';
import { takesWithoutSingle } from './takes-without-single.ts';

export interface LeftSingle {
  /** The position of a seat that would be left alone. */
  readonly single: number;
  /** Takes of the same size that leave none, the nearest first. */
  readonly instead: readonly (readonly number[])[];
}

/**
 * Judges the whole take, together with what the basket has in the row already. It is refused if it leaves a single seat, unless no
 * take of the same size in as few groups avoids one: the rule never splits a party, and never costs the last pair.
 */
export function leftSingle({ picture, others, take, isOffered }: RowTake): LeftSingle | undefined {
  const { seats } = picture;
  const inOrder = (positions: readonly number[]) => positions.toSorted((one, other) => one - other);
  const whole = inOrder([...others, ...take]);
  const [single] = newSingles(picture, whole);
  const isExempt = take.every((position) => {
    const seat = seats[position];
    return seat !== undefined && isForWheelchair(seat);
  });
  if (single === undefined || isExempt) return undefined;
  const groups = { whole: runsOf(seats, whole).length, take: runsOf(seats, inOrder(take)).length };
  const first = Math.min(...take);
  const instead = takesWithoutSingle({ picture, others, size: take.length, groups, isOffered })
    .toSorted((one, other) => Math.abs((one[0] ?? 0) - first) - Math.abs((other[0] ?? 0) - first))
    .slice(0, 2);
  return instead.length === 0 ? undefined : { single, instead };
}
