import { createHash } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { addTo, type Finding, nameRow } from '../../domain/audit/finding.ts';
import { countOrder } from '../../domain/orders/counts.ts';
import { isSold, type OrderRecord, type OrderWithTickets, type TicketRecord } from '../../domain/orders/order.ts';
import { bucketStart, endOfTime } from '../../domain/time/time-buckets.ts';
import { salesShards } from '../counters/sales-shards.ts';
import { scanShards } from '../counters/scan-layout.ts';
import { settledName } from '../counters/settlement.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { parsePassages, parseTicket } from '../orders/barcode-row.ts';
import { parseOrderTickets } from '../orders/order-tickets-row.ts';
import { encodePriceCounts, soldTextOf } from '../orders/price-counts.ts';
import { orderIdKey, orderKeyAt, orderUuidItems, parseIdRef, parseOrder, parseUuidRef } from '../orders/row.ts';
import { barcodesOf } from '../orders/row-barcodes.ts';
import { batchGet } from '../table/batch-get.ts';
import { barcodeKey, ordersPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { readBarcodeRows } from '../transfers/read.ts';
import { auditCharges, readPayments } from './charges.ts';
import { type BucketTotals, bucketIn, bucketName, compareTotals, readTotals } from './counters.ts';
import { auditJournal, compareSettlement } from './journal.ts';
import { auditLimitedOrders } from './member-tickets.ts';
import { auditMemberships } from './memberships.ts';
import { auditOrderCopies, readOrderCopies } from './order-copies.ts';
import { auditPlans } from './plans.ts';
import type { EventPosition } from './position.ts';
import { auditOrderPositions } from './positions.ts';
import { auditRenewals } from './renewals.ts';
import { takenByType } from './type-stock.ts';
import { auditWithdrawals } from './withdrawals.ts';

type TicketsPosition = Extract<EventPosition, { part: 'tickets' }>;
type Row = Readonly<Record<string, unknown>>;

interface AuditedTickets {
  readonly orders: number;
  readonly findings: readonly Finding[];
  readonly counted: TicketsPosition['counted'];
  /** The memberships that were taken from the capacity of their types. */
  readonly taken: Readonly<Record<string, number>>;
  /** The sort key after which further orders follow; undefined after the last one. */
  readonly last: string | undefined;
}

const ordersPerPage = 100;

export async function ticketsStart(table: Table, event: CountedEvent): Promise<TicketsPosition> {
  return { part: 'tickets', after: '0', seen: hashesOf(await readTicketCounters(table, event)).join(' '), counted: {} };
}

/** Compares a page of the orders of an event with their tickets, memberships, ids, positions, copies and entries of the journal, and counts cancelled and admitted tickets. */
export async function auditTickets(
  table: Table,
  event: CountedEvent,
  position: TicketsPosition,
): Promise<AuditedTickets> {
  const { orgId, eventId } = event;
  const { Items: rows = [], LastEvaluatedKey: last } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': ordersPartition(orgId, eventId), ':after': position.after },
      ConsistentRead: true,
      Limit: ordersPerPage,
    }),
  );
  const keys = rows.flatMap(barcodesOf).map((barcode) => barcodeKey(orgId, barcode));
  const tickets = new Map((await batchGet(table, keys, { consistent: true })).map((item) => [String(item.pk), item]));
  const lastKey = last === undefined ? undefined : String(last.sk);
  const stored = await readOrderCopies(table, event, { after: position.after, last: lastKey });
  const counted = new Map(Object.entries(position.counted));
  const findings: Finding[] = [];
  const orders: OrderRecord[] = [];
  const whole: OrderWithTickets[] = [];
  for (const row of rows) {
    const order = parseOrder(row);
    orders.push(order);
    const own = barcodesOf(row).map((barcode) => tickets.get(barcodeKey(orgId, barcode).pk));
    for (const item of own) if (item !== undefined) countTicket(counted, order, item);
    const parsed = own.map((item) => (item === undefined ? undefined : parseTicket(item)));
    const problem = ticketProblem(order, soldTextOf(row), parsed) ?? (await formerProblem(table, orgId, parsed));
    // Another problem of its tickets is reported once.
    if (problem === undefined) {
      const copy = stored.get(String(row.sk));
      const memberships = copy === undefined ? [] : parseOrderTickets(copy).memberships;
      whole.push({ order, tickets: parsed.filter((ticket) => ticket !== undefined), memberships });
    }
    if (problem !== undefined) findings.push({ check: 'order-tickets', row: nameOrder(row), problem });
  }
  const sortKeys = rows.map(({ sk }) => String(sk));
  findings.push(...(await auditIds(table, orgId, rows)));
  findings.push(...(await auditLimitedOrders(table, event, whole)));
  findings.push(...(await auditOrderPositions(table, orgId, orders)));
  findings.push(...(await auditJournal(table, event, whole, counted)));
  findings.push(...(await auditMemberships(table, orgId, whole)));
  const payments = await readPayments(table, orgId, whole);
  findings.push(...(await auditPlans(table, orgId, whole, payments)));
  findings.push(...(await auditCharges(table, orgId, whole, payments)));
  findings.push(...(await auditRenewals(table, orgId, whole)));
  findings.push(...(await auditWithdrawals(table, orgId, whole)));
  findings.push(...(await auditOrderCopies(table, event, { sortKeys, whole, stored })));
  return {
    orders: rows.length,
    findings,
    counted: Object.fromEntries(counted),
    taken: takenByType(whole),
    last: lastKey,
  };
}

/** The counters that a ticket is in: `c3` of the span of its order if it is cancelled or refunded, `a3` of the day it was admitted. */
function countTicket(counted: Map<string, number>, { placedUnix }: OrderRecord, item: Row): void {
  const ticket = parseTicket(item);
  const { firstSortKey } = parsePassages(item);
  if (!isSold(ticket)) {
    const span = bucketName('span', bucketStart('span', placedUnix));
    addTo(counted, { [`${span} c${ticket.priceIndex}`]: 1 });
  }
  if (firstSortKey !== null) {
    const day = bucketName('day', bucketStart('day', Number.parseInt(firstSortKey, 10)));
    addTo(counted, { [`${day} a${ticket.priceIndex}`]: 1 });
  }
}

/**
 * Compares the counted tickets with the counters. A ticket and its counters are written in one transaction, and these counters
 * only grow: if they have not changed since the first ticket was read, all reads together are one snapshot. Otherwise the
 * event is in use, and a later round compares it.
 */
export async function auditTicketCounters(
  table: Table,
  event: CountedEvent,
  { seen, counted }: Pick<TicketsPosition, 'seen' | 'counted'>,
): Promise<readonly Finding[]> {
  const stored = await readTicketCounters(table, event);
  const before = seen.split(' ');
  const [areTicketsUnchanged, isMoneyUnchanged] = hashesOf(stored).map((hash, index) => hash === before[index]);
  const inRows: BucketTotals = new Map();
  for (const [name, count] of Object.entries(counted)) {
    const [size = '', start = '', attribute = ''] = name.split(' ');
    bucketIn(inRows, `${size} ${start}`).set(attribute, count);
  }
  const totals = { counted: stored, inRows };
  const settlement = isMoneyUnchanged ? compareSettlement(event, stored, inRows) : [];
  if (!areTicketsUnchanged) return settlement;
  return [
    ...settlement,
    ...compareTotals(
      'sales-counters',
      { shards: salesShards, event, sizes: ['span'] },
      { ...totals, kept: cancelledCounts },
    ),
    ...compareTotals(
      'scan-counters',
      { shards: scanShards, event, sizes: ['day'] },
      { ...totals, kept: attendedCounts },
    ),
  ];
}

const cancelledCounts = /^c\d+$/;
const attendedCounts = /^a\d+$/;

async function readTicketCounters(table: Table, event: CountedEvent): Promise<BucketTotals> {
  const all = { from: 0, to: endOfTime };
  const spans = await readTotals(table, event, salesShards, { sizes: ['span'], ...all });
  const days = await readTotals(table, event, scanShards, { sizes: ['day'], ...all });
  return new Map([...spans, ...days]);
}

/** The hashes of the counters of tickets, and of those of the settlement, which every sale changes. */
function hashesOf(totals: BucketTotals): string[] {
  const isOfTickets = (name: string): boolean => cancelledCounts.test(name) || attendedCounts.test(name);
  return [isOfTickets, (name: string) => settledName.test(name)].map((isKept) => hashOf(totals, isKept));
}

function hashOf(totals: BucketTotals, isKept: (name: string) => boolean): string {
  const counts = [...totals].flatMap(([bucket, values]) =>
    [...values].filter(([name]) => isKept(name)).map(([name, count]) => `${bucket} ${name} ${count}`),
  );
  return createHash('sha256').update(counts.sort().join()).digest('base64');
}

/** A barcode admits a person, so no text contains one: a ticket is named by its place in the order. */
function ticketProblem(
  order: OrderRecord,
  sold: string,
  tickets: readonly (TicketRecord | undefined)[],
): string | undefined {
  const missing = tickets.flatMap((ticket, index) => (ticket === undefined ? [index + 1] : []));
  if (missing.length > 0)
    return `${missing.length} of its ${tickets.length} tickets have no row; the first is number ${missing[0]}.`;
  const found = tickets.filter((ticket) => ticket !== undefined);
  const foreign = found.find(({ orderId, eventId }) => orderId !== order.orderId || eventId !== order.eventId);
  if (foreign !== undefined)
    return `Its ticket ${foreign.ticketId} belongs to order ${foreign.orderId} of event ${foreign.eventId}.`;
  const counted = encodePriceCounts(countOrder({ order, tickets: found }));
  return sortedText(counted) === sortedText(sold)
    ? undefined
    : `It counts ${sold || 'nothing'} as sold, its tickets are ${counted || 'nothing'}.`;
}

/** A barcode that a ticket had before it was given away must not admit anybody. */
async function formerProblem(
  table: Table,
  orgId: string,
  tickets: readonly (TicketRecord | undefined)[],
): Promise<string | undefined> {
  const given = tickets.filter((ticket) => ticket?.transfers !== undefined);
  for (const ticket of given) {
    const former = ticket?.transfers?.former.map(({ barcode }) => barcode) ?? [];
    const rows = await readBarcodeRows(table, orgId, former);
    const isVoid = rows.every((row) => row.isFormer && row.ticket.ticketId === ticket?.ticketId);
    if (rows.length < former.length || !isVoid)
      return `A former barcode of its ticket ${ticket?.ticketId} is not void.`;
  }
  return undefined;
}

const sortedText = (counts: string): string => counts.split(',').sort().join(',');

/** The ids by which an order is found must lead to its row. */
async function auditIds(table: Table, orgId: string, rows: readonly Row[]): Promise<Finding[]> {
  const orders = rows.map((row) => ({ name: nameOrder(row), order: parseOrder(row) }));
  const keys = orders.flatMap(({ order }) => [
    orderIdKey(orgId, order.orderId),
    ...orderUuidItems(orgId, order).map(({ pk, sk }) => ({ pk, sk })),
  ]);
  const found = new Map((await batchGet(table, keys, { consistent: true })).map((item) => [String(item.pk), item]));
  return orders.flatMap(({ name, order }) => {
    const idKey = orderIdKey(orgId, order.orderId).pk;
    const ref = found.has(idKey) ? parseIdRef(found.get(idKey)) : undefined;
    const isNamed = ref && nameRow(orderKeyAt(orgId, ref)) === name && ref.orderUuid === order.orderUuid;
    const [wrongUuid] = orderUuidItems(orgId, order).filter(({ pk }) => {
      const item = found.get(pk);
      return item === undefined || nameRow(orderKeyAt(orgId, parseUuidRef(item, order.orderUuid))) !== name;
    });
    const wrong = isNamed ? wrongUuid?.pk : idKey;
    return wrong === undefined ? [] : [{ check: 'order-ids', row: name, problem: `${wrong} does not lead to it.` }];
  });
}

const nameOrder = (row: Row): string => nameRow({ pk: String(row.pk), sk: String(row.sk) });
