import type { OrderStatus } from '../../domain/orders/order.ts';
import { type BucketSize, bucketSeconds, bucketStart, type salesBuckets } from '../../domain/time/time-buckets.ts';
import type { BucketCounts } from './shards.ts';

/** How many orders of each status a change adds. */
export type StatusCounts = Readonly<Partial<Record<OrderStatus, number>>>;

/** `k7` counts the confirmed orders in slot 7 of a bucket: in the eighth day of a span, or the eighth second of a minute. */
const statusLetters: Readonly<Record<OrderStatus, string>> = {
  pending: 'p',
  confirmed: 'k',
  cancelled: 'x',
  refunded: 'r',
};
const statuses: readonly OrderStatus[] = ['pending', 'confirmed', 'cancelled', 'refunded'];

const partOf = { span: 'day', day: 'hour', hour: 'minute', minute: 'second' } as const satisfies Record<
  (typeof salesBuckets)[number],
  BucketSize
>;

/** Returns what the counter of a bucket adds for orders that were placed at a second. */
export function orderRowCounts(
  size: (typeof salesBuckets)[number],
  placedUnix: number,
  changes: StatusCounts,
): Record<string, number> {
  const slot = Math.floor((placedUnix - bucketStart(size, placedUnix)) / bucketSeconds[partOf[size]]);
  return Object.fromEntries(statuses.map((status) => [`${statusLetters[status]}${slot}`, changes[status] ?? 0]));
}

/** Returns how many orders, of one status or of all, a slot of a bucket has counted. */
export function orderRowsIn(status: OrderStatus | undefined): (bucket: BucketCounts, slot: number) => number {
  const letters = (status === undefined ? statuses : [status]).map((one) => statusLetters[one]);
  return ({ counts }, slot) =>
    letters.reduce((sum, letter) => {
      const count = counts[`${letter}${slot}`];
      return sum + (typeof count === 'number' ? count : 0);
    }, 0);
}

/** Returns the change of the counts when an order changes its status; nothing if it keeps it. */
export function statusChange(before: OrderStatus, after: OrderStatus): StatusCounts {
  return before === after ? {} : { [before]: -1, [after]: 1 };
}
