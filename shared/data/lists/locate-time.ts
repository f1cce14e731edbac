import {
  type BucketSize,
  endOfTime,
  recordedSecondText,
  secondsOf,
  type TimeRange,
} from '../../domain/time/time-buckets.ts';
import { countBefore, locateOffset, type SlotCounters } from '../counters/locate.ts';
import type { Table } from '../table/table.ts';
import type { Located } from './list-page.ts';

/** Finds an offset in a list in order of time by its counters. Only the rows of one second remain to be skipped. */
export async function locateInTime<Size extends BucketSize>(
  table: Table,
  counters: SlotCounters<Size>,
  range: TimeRange,
  offset: number,
): Promise<Located> {
  const { from, to } = secondsOf(range);
  if (from >= to) return 'past the end';
  const before = from === 0 ? 0 : await countBefore(table, counters, from);
  const located = await locateOffset(table, counters, before + offset);
  if (located === undefined || located.second >= Math.min(to, endOfTime)) return 'past the end';
  // The text of a second sorts before all rows of that second.
  return { after: recordedSecondText(located.second), preceding: located.preceding - before };
}
