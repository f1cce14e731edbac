import { randomInt } from 'node:crypto';
import { type BucketSize, recordedSecondText } from '../../domain/time/time-buckets.ts';
import { counterKey, type ItemKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';

interface Layout<Size extends BucketSize> {
  /** Distinguishes the counters of one event: sales or scans. */
  readonly letter: string;
  /** How many items usually share the counting of one bucket. */
  readonly shards: number;
  /** How many share it when many transactions conflict. A shard that is not used has no item, and costs readers nothing. */
  readonly maxShards: number;
  /** How many partitions hold the buckets of each size. */
  readonly partitions: Readonly<Record<Size, number>>;
}

export interface CountedEvent {
  readonly orgId: string;
  readonly eventId: number;
}

/** Neighbouring buckets of one size: `from` is the start of the first, `to` the end of the last (exclusive). */
export interface BucketsOf<Size extends BucketSize> {
  readonly size: Size;
  readonly from: number;
  readonly to: number;
}

/** The counts of one shard of the bucket that begins at `start`. */
export interface BucketCounts {
  readonly start: number;
  readonly shard: number;
  readonly counts: Readonly<Record<string, unknown>>;
}

const sizeLetters: Readonly<Record<BucketSize, string>> = { span: 'S', day: 'D', hour: 'H', minute: 'M', second: 'N' };

/**
 * A counter that many transactions add to is spread over several items, its shards, because DynamoDB rejects transactions that
 * conflict on an item. The shards of a bucket are neighbours, so one Query reads them all. Each bucket size has its own
 * partitions, as many as its writes need, so a read of large buckets reads few items.
 */
export class CounterShards<Size extends BucketSize> {
  readonly count: number;
  readonly maxCount: number;
  readonly #layout: Layout<Size>;
  #chosen: number | undefined;

  constructor(layout: Layout<Size>) {
    this.count = layout.shards;
    this.maxCount = layout.maxShards;
    this.#layout = layout;
  }

  /**
   * Returns the shard to add to at this attempt of a transaction; after a conflict it is another one, of twice as many with
   * each attempt, so the number of shards in use follows the conflicts. An instance keeps its shard until it has a
   * conflict: that needs fewer attempts than a random shard each time.
   */
  choose(attempt: number): number {
    if (this.#chosen !== undefined && attempt === 1) return this.#chosen;
    const length = Math.min(this.maxCount, this.count * 2 ** (attempt - 1));
    const others = Array.from({ length }, (_, shard) => shard).filter((shard) => shard !== this.#chosen);
    this.#chosen = others[randomInt(others.length)] ?? 0;
    return this.#chosen;
  }

  /** The key of the item in which a shard counts a bucket. */
  keyOf(event: CountedEvent, bucket: { readonly size: Size; readonly start: number }, shard: number): ItemKey {
    const partition = shard % this.#layout.partitions[bucket.size];
    return this.#key(event, bucket.size, partition, `${recordedSecondText(bucket.start)}#${shard}`);
  }

  /** Returns all shards of these buckets. */
  async read(
    table: Table,
    event: CountedEvent,
    { size, from, to }: BucketsOf<Size>,
    { consistent }: Required<ReadOptions>,
  ): Promise<BucketCounts[]> {
    const partitions = Array.from({ length: this.#layout.partitions[size] }, (_, partition) =>
      queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': this.#key(event, size, partition, '').pk,
          ':first': recordedSecondText(from),
          // The last second of the last bucket comes after all its shards, because their keys contain the bucket's first second.
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
  const [start, shard] = String(sk).split('#');
  return { start: Number(start), shard: Number(shard), counts };
}
