import { bucketSeconds, bucketStart } from '../../domain/time/time-buckets.ts';
import { retryUntil } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { pendingSeconds, scanShards, slotName, versionOf } from './scan-layout.ts';
import type { BucketCounts, BucketsOf, CountedEvent } from './shards.ts';

/** The slots of an hour are minutes, those of a minute are seconds. */
const slotSeconds = { hour: bucketSeconds.minute, minute: bucketSeconds.second } as const;

/**
 * Reads the hours and minutes of an event's scans: their own items, and the seconds that are still pending in the item of the
 * day. The day is read first. A move between the two reads would count its seconds twice; the version in the item
 * of the hour or minute shows that, and both are read again. Reads are consistent, so none misses a move.
 */
export class ScanBuckets {
  readonly #event: CountedEvent;
  readonly #days = new Map<number, Promise<readonly BucketCounts[]>>();

  constructor(event: CountedEvent) {
    this.#event = event;
  }

  /** Returns the buckets of a range within one day. */
  async read(table: Table, buckets: BucketsOf<'hour' | 'minute'>): Promise<readonly BucketCounts[]> {
    const start = bucketStart('day', buckets.from);
    return retryUntil('The counters of scans changed during every attempt to read them. Try again.', async () => {
      const days = await this.#readDay(table, start);
      const stored = await scanShards.read(table, this.#event, buckets, { consistent: true });
      const movesOfShard = new Map(days.map(({ shard, counts }) => [shard, versionOf(counts)]));
      const isMoved = stored.some(({ shard, counts }) => versionOf(counts) > (movesOfShard.get(shard) ?? 0));
      if (!isMoved) return [...stored, ...days.flatMap((day) => pendingBuckets(day, buckets))];
      this.#days.delete(start);
      return undefined;
    });
  }

  #readDay(table: Table, start: number): Promise<readonly BucketCounts[]> {
    const day = { size: 'day', from: start, to: start + bucketSeconds.day } as const;
    const known = this.#days.get(start) ?? scanShards.read(table, this.#event, day, { consistent: true });
    this.#days.set(start, known);
    return known;
  }
}

/** The pending seconds of a day as buckets of another size. */
function pendingBuckets(
  { start, shard, counts }: BucketCounts,
  { size, from, to }: BucketsOf<'hour' | 'minute'>,
): BucketCounts[] {
  return pendingSeconds(counts)
    .map(({ second, count }) => ({ unix: start + second, count }))
    .filter(({ unix }) => unix >= from && unix < to)
    .map(({ unix, count }) => {
      const bucket = bucketStart(size, unix);
      return { start: bucket, shard, counts: { [slotName(Math.floor((unix - bucket) / slotSeconds[size]))]: count } };
    });
}
