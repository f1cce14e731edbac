import type { Settlement } from '../../domain/journal/settlement.ts';
import { addCounts, nothingCounted, type OrderCounts, type PriceCounts } from '../../domain/orders/counts.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import {
  bucketStart,
  coverRange,
  endOfTime,
  isUnlimited,
  salesBuckets,
  type TimeRange,
} from '../../domain/time/time-buckets.ts';
import { readPriceCounts } from '../orders/price-counts.ts';
import type { Table } from '../table/table.ts';
import type { CounterItem } from './counter-item.ts';
import { countBefore, type SlotCounters } from './locate.ts';
import { orderRowCounts, orderRowsIn, type StatusCounts } from './order-rows.ts';
import { salesShards } from './sales-shards.ts';
import { settledCounts } from './settlement.ts';
import type { BucketCounts, CountedEvent } from './shards.ts';

/** The attribute names of a price's counts: `t3` counts the tickets of price 3. They are short, because an item holds all prices. */
const letters = [
  ['t', 'tickets'],
  ['o', 'orders'],
  ['n', 'netMinor'],
  ['g', 'grossMinor'],
  ['c', 'cancelled'],
  ['y', 'complimentary'],
] as const satisfies readonly (readonly [string, keyof PriceCounts])[];
const countPattern = /^([tongcy])(\d+)$/;

/** An order is counted at the time it was placed. A later cancellation or refund is subtracted at that time. */
export interface CountedOrder {
  readonly eventId: number;
  readonly placedUnix: number;
}

/** What an order, or a change of one, adds to the figures of its prices and to the number of orders of each status. */
export interface SalesChange {
  readonly counts: OrderCounts;
  readonly statuses: StatusCounts;
  /** What the sale brought, if the journal has it. What is settled later is counted in its own time (`settlementCounters`). */
  readonly settled?: Settlement;
}

/** Returns what a change of an order's counts adds to the counters of a shard. */
export function salesCounters(
  orgId: string,
  { eventId, placedUnix }: CountedOrder,
  { counts, statuses, settled = new Map() }: SalesChange,
  shard: number,
): CounterItem[] {
  return salesBuckets.map((size) => ({
    key: salesShards.keyOf({ orgId, eventId }, { size, start: bucketStart(size, placedUnix) }, shard),
    // No operation filters cancelled tickets by time, so only the largest buckets count them.
    counts: {
      ...namedCounts(counts, size === 'span' ? letters : letters.filter(([letter]) => letter !== 'c')),
      ...orderRowCounts(size, placedUnix, statuses),
      ...settledCounts(settled),
    },
  }));
}

function namedCounts(counts: OrderCounts, kept: readonly (typeof letters)[number][]): Record<string, number> {
  return Object.fromEntries(
    // Most prices have no complimentary tickets, and no attribute for them.
    [...counts].flatMap(([price, each]) =>
      kept
        .filter(([letter, name]) => letter !== 'y' || each[name] !== 0)
        .map(([letter, name]) => [`${letter}${price}`, each[name]]),
    ),
  );
}

/**
 * Returns the sales of an event, in total or for a time range. A range is covered by buckets of all sizes; at its two edges,
 * each shorter than a minute, the orders themselves are counted.
 */
export async function readSales(
  table: Table,
  orgId: string,
  eventId: number,
  range: TimeRange = {},
): Promise<OrderCounts> {
  // The total of an event is a few small items, so it is read consistently. A range reads more items, at half the price.
  const readOptions = { consistent: isUnlimited(range) };
  const reads = coverRange(range, [...salesBuckets, 'second']).map(async ({ size, from, to }) => {
    if (size === 'second') return readPriceCounts(table, orgId, eventId, { from, to });
    return (await salesShards.read(table, { orgId, eventId }, { size, from, to }, readOptions)).map(countsOf);
  });
  return addCounts((await Promise.all(reads)).flat());
}

/** How many orders an event has, of one status or of all. */
export function countOrders(table: Table, event: CountedEvent, status?: OrderStatus): Promise<number> {
  return countBefore(table, orderListCounters(event, status), endOfTime);
}

/** The counters that locate an offset in the list of an event's orders, of one status or of all. */
export function orderListCounters(
  event: CountedEvent,
  status: OrderStatus | undefined,
): SlotCounters<(typeof salesBuckets)[number]> {
  // The list of all orders is read consistently, that of a status is not.
  const readOptions = { consistent: status === undefined };
  return {
    read: (table, buckets) => salesShards.read(table, event, buckets, readOptions),
    sizes: salesBuckets,
    countOf: orderRowsIn(status),
  };
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
