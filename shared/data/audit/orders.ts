import { addTo, type Finding } from '../../domain/audit/finding.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import {
  bucketSeconds,
  bucketStart,
  endOfTime,
  recordedSecondText,
  salesBuckets,
} from '../../domain/time/time-buckets.ts';
import { salesCounters } from '../counters/sales.ts';
import { salesShards } from '../counters/sales-shards.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { decodePriceCounts, soldTextOf } from '../orders/price-counts.ts';
import { parseOrder } from '../orders/row.ts';
import { orderKey, ordersPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type BucketTotals, bucketIn, bucketName, compareTotals, isUnchanged, readTotals } from './counters.ts';

const dayBuckets = ['day', 'hour', 'minute'] as const;

/** Tickets, orders and amounts by price, and orders by status. Cancelled tickets (`c3`) are compared with the tickets. */
const salesCounts = /^[tongpkxr]\d+$/;

/** Also what was settled, which is in no row of an order. */
const spanCounts = /^[tongpkxrfdevblwq]\d+$/;

/**
 * Compares the orders that were placed on one day with the counters of the day. The request limit bounds the orders of a day.
 * Returns undefined if an order was written during the audit.
 */
export async function auditOrders(
  table: Table,
  event: CountedEvent,
  day: number,
): Promise<readonly Finding[] | undefined> {
  const range = { from: day, to: day + bucketSeconds.day };
  const before = await readTotals(table, event, salesShards, { sizes: dayBuckets, ...range });
  const inRows: BucketTotals = new Map();
  for await (const rows of ordersPlacedIn(table, event, range)) {
    for (const row of rows) countRow(inRows, event, parseOrder(row), soldTextOf(row));
  }
  const after = await readTotals(table, event, salesShards, { sizes: dayBuckets, ...range });
  if (!isUnchanged(before, after)) return undefined;
  const counters = { shards: salesShards, event, sizes: dayBuckets };
  return compareTotals('sales-counters', counters, { counted: after, inRows, kept: salesCounts });
}

function ordersPlacedIn(table: Table, { orgId, eventId }: CountedEvent, { from, to }: { from: number; to: number }) {
  return queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': ordersPartition(orgId, eventId),
      ':from': recordedSecondText(from),
      // Sort keys are longer than a second, so this is before every order of the second `to`.
      ':to': recordedSecondText(to),
    },
    ConsistentRead: true,
  });
}

/** Counts an order as it was counted when it was written, in every bucket of its day. */
function countRow(totals: BucketTotals, { orgId }: CountedEvent, order: OrderRecord, sold: string): void {
  const change = { counts: decodePriceCounts(sold), statuses: { [order.status]: 1 } };
  for (const [index, { counts }] of salesCounters(orgId, order, change, 0).entries()) {
    const size = salesBuckets[index];
    if (size === undefined || size === 'span') continue;
    addTo(bucketIn(totals, bucketName(size, bucketStart(size, order.placedUnix))), counts);
  }
}

/** Compares the large sales counters, which every total adds up, with the days in them. */
export async function auditSpans(table: Table, event: CountedEvent): Promise<readonly Finding[] | undefined> {
  const all = { from: 0, to: endOfTime };
  const before = await readTotals(table, event, salesShards, { sizes: ['span'], ...all });
  const days = await readTotals(table, event, salesShards, { sizes: ['day'], ...all });
  const after = await readTotals(table, event, salesShards, { sizes: ['span'], ...all });
  if (!isUnchanged(before, after)) return undefined;
  const inDays: BucketTotals = new Map();
  for (const [name, counts] of days) {
    const start = Number(name.split(' ')[1]);
    const span = bucketStart('span', start);
    const slot = (start - span) / bucketSeconds.day;
    const total = bucketIn(inDays, bucketName('span', span));
    for (const [attribute, count] of counts) {
      // The slots of a day are hours. Together they are one slot of the span.
      const isSlot = /^[pkxr]/.test(attribute);
      addTo(total, { [isSlot ? `${attribute.charAt(0)}${slot}` : attribute]: count });
    }
  }
  const counters = { shards: salesShards, event, sizes: ['span'] as const };
  return compareTotals('sales-counters', counters, { counted: after, inRows: inDays, kept: spanCounts });
}

/** The first day from `from` on that has an order or a counter of orders; undefined if there is none. */
export async function nextOrderDay(table: Table, event: CountedEvent, from: number): Promise<number | undefined> {
  const keys = [
    orderKey(event.orgId, event.eventId, recordedSecondText(from)),
    ...[0, 1].map((shard) => salesShards.keyOf(event, { size: 'day', start: from }, shard)),
  ];
  const seconds = await Promise.all(keys.map(({ pk }) => firstSecond(table, pk, from)));
  const found = seconds.filter((second) => second !== undefined);
  return found.length === 0 ? undefined : bucketStart('day', Math.min(...found));
}

/** The second with which the first sort key of a partition begins, from a second on. */
export async function firstSecond(table: Table, pk: string, from: number): Promise<number | undefined> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: { ':pk': pk, ':from': recordedSecondText(from) },
    ConsistentRead: true,
    Limit: 1,
  });
  for await (const [first] of pages) return first === undefined ? undefined : Number.parseInt(String(first.sk), 10);
  return undefined;
}
