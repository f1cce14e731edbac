import { addCounts, nothingCounted, type OrderCounts, type PriceCounts } from '../../domain/orders/counts.ts';
import { bucketStart, coverRange, isWholeTime, salesBuckets, type TimeRange } from '../../domain/time/time-buckets.ts';
import { readPriceCounts } from '../orders/price-counts.ts';
import type { Table } from '../table/table.ts';
import type { CounterItem } from './counter-item.ts';
import { type BucketCounts, CounterShards } from './shards.ts';

/**
 * Four are enough: the limits on requests keep an organisation below a hundred sales a second. A range may reach over so many of
 * the smaller buckets that they lie in two partitions.
 */
export const salesShards = new CounterShards<(typeof salesBuckets)[number]>({
  letter: 'S',
  shards: 4,
  partitions: { span: 1, day: 2, hour: 2, minute: 2 },
});

/** How a count of a price is named in an item: `t3` is the tickets of price 3. Short, because an item holds all prices. */
const letters = [
  ['t', 'tickets'],
  ['o', 'orders'],
  ['n', 'netMinor'],
  ['g', 'grossMinor'],
  ['c', 'cancelled'],
] as const satisfies readonly (readonly [string, keyof PriceCounts])[];
const countPattern = /^([tongc])(\d+)$/;

/** An order is counted in the time it was placed; what is cancelled or refunded later is taken off there. */
export interface CountedOrder {
  readonly eventId: number;
  readonly placedUnix: number;
}

/** What a change of an order's counts adds to the counters of a shard. */
export function salesCounters(
  orgId: string,
  { eventId, placedUnix }: CountedOrder,
  counts: OrderCounts,
  shard: number,
): CounterItem[] {
  return salesBuckets.map((size) => ({
    key: salesShards.keyOf({ orgId, eventId }, { size, start: bucketStart(size, placedUnix) }, shard),
    // What was cancelled is never asked for by time, so only the largest buckets keep it.
    counts: namedCounts(counts, size === 'span' ? letters : letters.filter(([letter]) => letter !== 'c')),
  }));
}

function namedCounts(counts: OrderCounts, kept: readonly (typeof letters)[number][]): Record<string, number> {
  return Object.fromEntries(
    [...counts].flatMap(([price, each]) => kept.map(([letter, name]) => [`${letter}${price}`, each[name]])),
  );
}

/**
 * What an event has sold, altogether or in the orders of a range of time: buckets of all sizes, and at the two edges, each
 * shorter than a minute, the orders themselves.
 */
export async function readSales(
  table: Table,
  orgId: string,
  eventId: number,
  range: TimeRange = {},
): Promise<OrderCounts> {
  // All of an event is a few small items: who has just sold something sees it. A range reads more, at half the price.
  const reading = { consistent: isWholeTime(range) };
  const reads = coverRange(range, [...salesBuckets, 'second']).map(async ({ size, from, to }) => {
    if (size === 'second') return readPriceCounts(table, orgId, eventId, { from, to });
    return (await salesShards.read(table, { orgId, eventId }, { size, from, to }, reading)).map(countsOf);
  });
  return addCounts((await Promise.all(reads)).flat());
}

function countsOf({ counts: stored }: BucketCounts): OrderCounts {
  const counts = new Map<number, PriceCounts>();
  for (const [attribute, count] of Object.entries(stored)) {
    const [, letter, digits] = countPattern.exec(attribute) ?? [];
    const name = letters.find(([one]) => one === letter)?.[1];
    if (name === undefined || typeof count !== 'number') continue;
    const price = Number(digits);
    counts.set(price, { ...(counts.get(price) ?? nothingCounted), [name]: count });
  }
  return counts;
}
