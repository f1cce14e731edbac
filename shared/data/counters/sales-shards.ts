import type { salesBuckets } from '../../domain/time/time-buckets.ts';
import { CounterShards } from './shards.ts';

/**
 * Four shards are enough for a usual sale, below a hundred orders a second; an on-sale uses more. A range can contain many of
 * the smaller buckets, so those are spread over two partitions.
 */
export const salesShards = new CounterShards<(typeof salesBuckets)[number]>({
  letter: 'S',
  shards: 4,
  maxShards: 32,
  partitions: { span: 1, day: 2, hour: 2, minute: 2 },
});
