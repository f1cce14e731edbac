import { randomInt } from 'node:crypto';
import { type BucketSize, recordedSecondText } from '../../domain/time/time-buckets.ts';
import { counterKey, type ItemKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Reading } from '../table/read-options.ts';
import type { Table } from '../table/table.ts';

interface Layout<Size extends BucketSize> {
  /** Tells apart what is counted in the same event. */
  readonly letter: string;
  /** How many items count one bucket together. */
  readonly shards: number;
  /** How many partitions hold the buckets of each size. */
  readonly partitions: Readonly<Record<Size, number>>;
}

export interface CountedEvent {
  readonly orgId: string;
  readonly eventId: number;
}

/** Neighbouring buckets of one size: `from` begins the first, `to` is behind the last. */
interface BucketsOf<Size extends BucketSize> {
  readonly size: Size;
  readonly from: number;
  readonly to: number;
}

/** What one shard of the bucket that begins in this second counted. */
export interface BucketCounts {
  readonly start: number;
  readonly counts: Readonly<Record<string, unknown>>;
}

const sizeLetters: Readonly<Record<BucketSize, string>> = { span: 'S', day: 'D', hour: 'H', minute: 'M', second: 'N' };

/**
 * A counter that everybody adds to is spread over several items, its shards, because transactions that meet on an item are
 * refused. The shards of a bucket lie side by side, so that a Query reads all of them; each size of buckets lies in partitions
 * of its own, as many as its writes need, so that whoever asks for the large ones reads few.
 */
export class CounterShards<Size extends BucketSize> {
  readonly count: number;
  readonly #layout: Layout<Size>;
  #chosen: number | undefined;

  constructor(layout: Layout<Size>) {
    this.count = layout.shards;
    this.#layout = layout;
  }

  /**
   * The shard to add to, at this attempt of a transaction: after a conflict another one than before. An instance keeps to its
   * shard for as long as it meets nobody there: that takes fewer attempts than drawing anew each time.
   */
  choose(attempt: number): number {
    const others = Array.from({ length: this.count }, (_, shard) => shard).filter((shard) => shard !== this.#chosen);
    if (this.#chosen === undefined || attempt > 1) this.#chosen = others[randomInt(others.length)] ?? 0;
    return this.#chosen;
  }

  /** The item in which a shard counts a bucket. */
  keyOf(event: CountedEvent, bucket: { readonly size: Size; readonly start: number }, shard: number): ItemKey {
    const partition = shard % this.#layout.partitions[bucket.size];
    return this.#key(event, bucket.size, partition, `${recordedSecondText(bucket.start)}#${shard}`);
  }

  /** All shards of these buckets. */
  async read(
    table: Table,
    event: CountedEvent,
    { size, from, to }: BucketsOf<Size>,
    { consistent }: Required<Reading>,
  ): Promise<BucketCounts[]> {
    const partitions = Array.from({ length: this.#layout.partitions[size] }, (_, partition) =>
      queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': this.#key(event, size, partition, '').pk,
          ':first': recordedSecondText(from),
          // Within the last bucket, and so behind all of its shards: none begins in a second but its bucket's first.
          ':last': recordedSecondText(to - 1),
        },
        ConsistentRead: consistent,
      }),
    );
    return (await Promise.all(partitions)).flat().map(bucketCounts);
  }

  #key({ orgId, eventId }: CountedEvent, size: Size, partition: number, sortKey: string): ItemKey {
    return counterKey(orgId, eventId, `${this.#layout.letter}${sizeLetters[size]}${partition}`, sortKey);
  }
}

function bucketCounts({ pk: _, sk, ...counts }: Readonly<Record<string, unknown>>): BucketCounts {
  return { start: Number.parseInt(String(sk), 10), counts };
}
