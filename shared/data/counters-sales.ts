import { addCounts, nothingCounted, type PriceCounts, type SaleCounts } from '../domain/sale-counts.ts';
import {
  bucketStart,
  coverRange,
  isWholeTime,
  type Stretch,
  salesBuckets,
  type TimeRange,
} from '../domain/time-buckets.ts';
import { CounterShards } from './counter-shards.ts';
import { bucketName, type CounterItem } from './counters.ts';
import { counterKey } from './keys.ts';
import { readLines } from './orders-lines.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';

/** Four are enough: the limits on requests keep an organisation below a hundred sales a second. */
export const salesShards = new CounterShards('S', 4);

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
  counts: SaleCounts,
  shard: string,
): CounterItem[] {
  return salesBuckets.map((size) => ({
    key: counterKey(orgId, eventId, shard, bucketName(size, bucketStart(size, placedUnix))),
    // What was cancelled is never asked for by time, so only the largest buckets keep it.
    counts: namedCounts(counts, size === 'span' ? letters : letters.filter(([letter]) => letter !== 'c')),
  }));
}

function namedCounts(counts: SaleCounts, kept: readonly (typeof letters)[number][]): Record<string, number> {
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
): Promise<SaleCounts> {
  const reads = coverRange(range, [...salesBuckets, 'second']).flatMap((stretch) =>
    stretch.size === 'second'
      ? [readLines(table, orgId, eventId, stretch)]
      : salesShards.names.map((shard) => readStretch(table, counterKey(orgId, eventId, shard, '').pk, stretch, range)),
  );
  return addCounts((await Promise.all(reads)).flat());
}

async function readStretch(
  table: Table,
  partition: string,
  { size, from, to }: Stretch,
  range: TimeRange,
): Promise<SaleCounts[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': partition,
      ':first': bucketName(size, from),
      ':last': bucketName(size, to - 1),
    },
    // All of an event is a few small items: who has just sold something sees it. A range reads more, at half the price.
    ConsistentRead: isWholeTime(range),
  });
  return items.map(countsOf);
}

function countsOf(item: Readonly<Record<string, unknown>>): SaleCounts {
  const counts = new Map<number, PriceCounts>();
  for (const [attribute, count] of Object.entries(item)) {
    const [, letter, digits] = countPattern.exec(attribute) ?? [];
    const name = letters.find(([one]) => one === letter)?.[1];
    if (name === undefined || typeof count !== 'number') continue;
    const price = Number(digits);
    counts.set(price, { ...(counts.get(price) ?? nothingCounted), [name]: count });
  }
  return counts;
}
