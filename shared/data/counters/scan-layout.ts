import type { ScanBucket } from '../../domain/scans/counts.ts';
import type { BucketCounts } from './shards.ts';
import { CounterShards } from './shards.ts';

/**
 * The gates of a stadium make hundreds of scans a second. Days are read most, with every page and all statistics, so they
 * share one partition: it receives as many writes as the partition of the scans.
 */
export const scanShards = new CounterShards<ScanBucket>({
  letter: 'X',
  shards: 16,
  maxShards: 64,
  partitions: { day: 1, hour: 2, minute: 2 },
});

/** `s7` counts the scans in slot 7 of a bucket, `a3` the tickets of price 3 that were admitted on that day. */
export const slotName = (slot: number): string => `s${slot}`;
export const attendedName = (price: number): string => `a${price}`;
export const attendedPattern = /^a(\d+)$/;

/** `p61` counts the scans in second 61 of a day that the items of its hours and minutes do not contain yet. */
export const pendingName = (second: number): string => `p${second}`;
const pendingPattern = /^p(\d+)$/;

/** `m` of a day is its version: how often its seconds were moved. `m` of an hour or a minute is the version that changed it last. */
export const versionName = 'm';

export const versionOf = (counts: BucketCounts['counts']): number => Number(counts[versionName] ?? 0);

export interface PendingSecond {
  /** The second of the day. */
  readonly second: number;
  readonly count: number;
}

/** The pending seconds in the item of a day, in order of time. */
export function pendingSeconds(counts: BucketCounts['counts']): PendingSecond[] {
  return Object.entries(counts)
    .flatMap(([name, count]) => {
      const [, second] = pendingPattern.exec(name) ?? [];
      return second === undefined ? [] : [{ second: Number(second), count: Number(count) }];
    })
    .sort((one, other) => one.second - other.second);
}
