import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  availableIn,
  gatherInFirst,
  maxSlices,
  type SliceChange,
  slicesOf,
  splitEvenly,
  spreadTake,
} from '../../shared/domain/prices/slices.ts';

const slicesWithTickets = fc
  .array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: maxSlices })
  .map((avails) => avails.map((avail, slice) => ({ slice, avail, version: 0 })));
const tickets = fc.integer({ min: 1, max: 40 });
const random = fc.nat({ max: 999 });

/** The slices after the changes. */
function changed(slices: readonly { slice: number; avail: number }[], changes: readonly SliceChange[]): number[] {
  const of = (slice: number) => changes.filter((change) => change.slice === slice);
  for (const { slice } of slices) expect(of(slice).length, 'a transaction changes an item once').toBeLessThanOrEqual(1);
  return slices.map(({ slice, avail }) => avail + (of(slice)[0]?.tickets ?? 0));
}

describe('slices of stock', () => {
  it('a price has one slice for each hundred tickets, from one to eight, and its tickets are split evenly', () => {
    expect([0, 99, 199, 200, 750, 80_000].map(slicesOf)).toEqual([1, 1, 1, 2, 7, 8]);
    expect(splitEvenly(10, 3)).toEqual([4, 3, 3]);
    expect(splitEvenly(2, 3)).toEqual([1, 1, 0]);
  });

  it('a take gets exactly its tickets out of slices that have them, or nothing if all together have too few', () => {
    fc.assert(
      fc.property(slicesWithTickets, tickets, random, (slices, wanted, number) => {
        const changes = spreadTake(slices, wanted, (limit) => number % limit);
        if (changes === undefined) return availableIn(slices) < wanted;
        const after = changed(slices, changes);
        expect(Math.min(...after)).toBeGreaterThanOrEqual(0);
        return after.reduce((sum, avail) => sum + avail) === availableIn(slices) - wanted;
      }),
    );
  });

  it('a take out of a full slice gives an empty one half of the rest', () => {
    const slices = [100, 0].map((avail, slice) => ({ slice, avail, version: 0 }));
    expect(spreadTake(slices, 4, () => 0)).toEqual([
      { slice: 0, tickets: -52 },
      { slice: 1, tickets: 48 },
    ]);
  });

  it('tickets are gathered in the first slice without any getting lost', () => {
    fc.assert(
      fc.property(slicesWithTickets, tickets, (slices, wanted) => {
        const after = changed(slices, gatherInFirst(slices, wanted));
        expect(Math.min(...after)).toBeGreaterThanOrEqual(0);
        expect(after.reduce((sum, avail) => sum + avail)).toBe(availableIn(slices));
        return availableIn(slices) < wanted || (after[0] ?? 0) >= wanted;
      }),
    );
  });
});
