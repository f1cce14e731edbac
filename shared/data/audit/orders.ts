import { addTo, type Finding, nameRow } from '../../domain/audit/finding.ts';
import { countOrder } from '../../domain/orders/counts.ts';
import type { OrderRecord, TicketRecord } from '../../domain/orders/order.ts';
import {
  bucketSeconds,
  bucketStart,
  endOfTime,
  recordedSecondText,
  salesBuckets,
} from '../../domain/time/time-buckets.ts';
import { salesCounters, salesShards } from '../counters/sales.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { decodePriceCounts, encodePriceCounts, soldTextOf } from '../orders/price-counts.ts';
import { readTickets } from '../orders/read.ts';
import { barcodesOf, claimedOrder, orderIdKey, orderUuidKey, parseOrder } from '../orders/row.ts';
import { batchGet } from '../table/batch-get.ts';
import { orderKey, ordersPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type BucketTotals, bucketIn, bucketName, compareTotals, isUnchanged, readTotals } from './counters.ts';

const dayBuckets = ['day', 'hour', 'minute'] as const;

/** Tickets, orders and amounts by price, and orders by status. Cancelled tickets (`c3`) are counted in spans only. */
const salesCounts = /^[tongpkxr]\d+$/;

interface AuditedOrders {
  readonly orders: number;
  /** Undefined if an order was written during the audit. */
  readonly findings: readonly Finding[] | undefined;
}

/**
 * Compares the orders that were placed on one day with their tickets, their ids and the counters of the day. The request
 * limit of an organisation bounds the orders of a day.
 */
export async function auditOrders(table: Table, event: CountedEvent, day: number): Promise<AuditedOrders> {
  const range = { from: day, to: day + bucketSeconds.day };
  const before = await readTotals(table, event, salesShards, { sizes: dayBuckets, ...range });
  const inRows: BucketTotals = new Map();
  const findings: Finding[] = [];
  let orders = 0;
  for await (const rows of ordersPlacedIn(table, event, range)) {
    orders += rows.length;
    for (const row of rows) countRow(inRows, event, parseOrder(row), soldTextOf(row));
    findings.push(...(await auditTickets(table, event.orgId, rows)), ...(await auditIds(table, event.orgId, rows)));
  }
  const after = await readTotals(table, event, salesShards, { sizes: dayBuckets, ...range });
  if (!isUnchanged(before, after)) return { orders, findings: undefined };
  const counters = { shards: salesShards, event, sizes: dayBuckets };
  findings.push(...compareTotals('sales-counters', counters, { counted: after, inRows, kept: salesCounts }));
  return { orders, findings };
}

const rowsPerPage = 200;

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
    Limit: rowsPerPage,
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

type Row = Readonly<Record<string, unknown>>;

async function auditTickets(table: Table, orgId: string, rows: readonly Row[]): Promise<Finding[]> {
  const tickets = await readTickets(table, orgId, rows.flatMap(barcodesOf));
  const byBarcode = new Map(tickets.map((ticket) => [ticket.barcode, ticket]));
  return rows.flatMap((row) => {
    const order = parseOrder(row);
    const own = barcodesOf(row).map((barcode) => byBarcode.get(barcode));
    const problem = ticketProblem(order, soldTextOf(row), barcodesOf(row), own);
    return problem === undefined ? [] : [{ check: 'order-tickets', row: nameOrder(row), problem }];
  });
}

function ticketProblem(
  order: OrderRecord,
  sold: string,
  barcodes: readonly string[],
  tickets: readonly (TicketRecord | undefined)[],
): string | undefined {
  const missing = barcodes.filter((_, index) => tickets[index] === undefined);
  if (missing.length > 0) return `${missing.length} of its tickets have no row; the first is BAR ${missing[0]}.`;
  const found = tickets.filter((ticket) => ticket !== undefined);
  const foreign = found.find(({ orderId, eventId }) => orderId !== order.orderId || eventId !== order.eventId);
  if (foreign !== undefined)
    return `The ticket BAR ${foreign.barcode} belongs to order ${foreign.orderId} of event ${foreign.eventId}.`;
  const counted = encodePriceCounts(countOrder(found));
  return sortedText(counted) === sortedText(sold)
    ? undefined
    : `It counts ${sold || 'nothing'} as sold, its tickets are ${counted || 'nothing'}.`;
}

const sortedText = (counts: string): string => counts.split(',').sort().join(',');

/** The ids by which an order is found must lead to its row. */
async function auditIds(table: Table, orgId: string, rows: readonly Row[]): Promise<Finding[]> {
  const claimsOf = (row: Row) => {
    const { orderId, orderUuid } = parseOrder(row);
    return [orderIdKey(orgId, orderId), orderUuidKey(orgId, orderUuid)];
  };
  const items = await batchGet(table, rows.flatMap(claimsOf), { consistent: true });
  const targets = new Map(items.map((item) => [String(item.pk), nameRow(claimedOrder(orgId, item))]));
  return rows.flatMap((row) => {
    const wrong = claimsOf(row).filter(({ pk }) => targets.get(pk) !== nameOrder(row));
    const [first] = wrong;
    return first === undefined
      ? []
      : [{ check: 'order-ids', row: nameOrder(row), problem: `${first.pk} does not lead to it.` }];
  });
}

const nameOrder = (row: Row): string => nameRow({ pk: String(row.pk), sk: String(row.sk) });

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
  return compareTotals('sales-counters', counters, { counted: after, inRows: inDays, kept: salesCounts });
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
