import { type BucketSize, bucketSeconds, endOfTime } from '../../domain/time/time-buckets.ts';
import type { Table } from '../table/table.ts';
import type { BucketCounts, BucketsOf } from './shards.ts';

/** Counters of rows in buckets of time. A bucket of each size counts its rows in slots of the next smaller size. */
export interface SlotCounters<Size extends BucketSize> {
  readonly read: (table: Table, buckets: BucketsOf<Size>) => Promise<readonly BucketCounts[]>;
  /** From large to small; the slots of the last size are seconds. */
  readonly sizes: readonly Size[];
  readonly countOf: (bucket: BucketCounts, slot: number) => number;
}

interface Slot {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** A second, and how many rows come before it. */
export interface LocatedSecond {
  readonly second: number;
  readonly preceding: number;
}

/** Finds the second of the row that `offset` rows precede, with one read per size; undefined if there are fewer rows. */
export function locateOffset<Size extends BucketSize>(
  table: Table,
  counters: SlotCounters<Size>,
  offset: number,
): Promise<LocatedSecond | undefined> {
  return descend(table, counters, ({ preceding, slot }) => preceding + slot.count > offset);
}

/** Counts the rows before a second, with one read per size. */
export async function countBefore<Size extends BucketSize>(
  table: Table,
  counters: SlotCounters<Size>,
  second: number,
): Promise<number> {
  return (await descend(table, counters, ({ slot }) => slot.end > second, second))?.preceding ?? 0;
}

/**
 * Adds up the slots of the largest buckets up to the first one that is chosen, then those of the buckets in that slot, and so
 * on down to the second. If no slot is chosen, it returns the total before `second`, or undefined without a `second`.
 */
async function descend<Size extends BucketSize>(
  table: Table,
  { read, sizes, countOf }: SlotCounters<Size>,
  isChosen: (at: { readonly preceding: number; readonly slot: Slot }) => boolean,
  second?: number,
): Promise<LocatedSecond | undefined> {
  let [from, to, preceding] = [0, endOfTime, 0];
  for (const [level, size] of sizes.entries()) {
    const slotSeconds = bucketSeconds[sizes[level + 1] ?? 'second'];
    const buckets = await read(table, { size, from, to });
    const slots = addShards(buckets, { slotSeconds, slotCount: bucketSeconds[size] / slotSeconds, countOf });
    const chosen = slots.find((slot) => {
      const found = isChosen({ preceding, slot });
      if (!found) preceding += slot.count;
      return found;
    });
    const outside = second !== undefined && (chosen === undefined || chosen.start > second);
    if (outside) return { second, preceding };
    if (chosen === undefined) return undefined;
    [from, to] = [chosen.start, chosen.end];
  }
  return { second: from, preceding };
}

interface SlotLayout {
  readonly slotSeconds: number;
  readonly slotCount: number;
  readonly countOf: (bucket: BucketCounts, slot: number) => number;
}

/** The slots in order of time, each with the sum of all shards. */
function addShards(buckets: readonly BucketCounts[], { slotSeconds, slotCount, countOf }: SlotLayout): Slot[] {
  const counts = new Map<number, number>();
  for (const bucket of buckets) {
    for (let slot = 0; slot < slotCount; slot += 1) {
      const count = countOf(bucket, slot);
      const start = bucket.start + slot * slotSeconds;
      if (count !== 0) counts.set(start, (counts.get(start) ?? 0) + count);
    }
  }
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([start, count]) => ({ start, end: start + slotSeconds, count }));
}
