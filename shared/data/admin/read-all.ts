import type { CustomerRecord } from '../../domain/customers/customer.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { type OrderWithTickets, orderSortKey } from '../../domain/orders/order.ts';
import type { ScanRecord } from '../../domain/scans/scan.ts';
import { parseCustomer } from '../customers/row.ts';
import { parseEvent } from '../events/row.ts';
import { parseOrderTickets } from '../orders/order-tickets-row.ts';
import { readTickets } from '../orders/read.ts';
import { parseOrder } from '../orders/row.ts';
import { barcodesOf } from '../orders/row-barcodes.ts';
import { parseScan } from '../scans/row.ts';
import { batchGet } from '../table/batch-get.ts';
import {
  customersPartition,
  eventsPartition,
  ordersPartition,
  orderTicketsKey,
  scansPartition,
} from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/** Yields every customer of an organisation, the oldest first, in pages. */
export async function* everyCustomer(table: Table, orgId: string): AsyncGenerator<readonly CustomerRecord[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': customersPartition(orgId) },
  });
  for await (const items of pages) yield items.map(parseCustomer);
}

/** Yields every event of an organisation, including deleted ones. */
export async function* everyEvent(table: Table, orgId: string): AsyncGenerator<EventRecord> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :events)',
    ExpressionAttributeValues: { ':pk': eventsPartition(orgId), ':events': 'E#' },
    ConsistentRead: true,
  });
  for await (const items of pages) yield* items.map(parseEvent);
}

const ordersPerPage = 200;

/** Yields every order of an event with its tickets and memberships, the oldest first; with `noEventId` those of memberships only. */
export async function* everyOrder(table: Table, orgId: string, eventId: number): AsyncGenerator<OrderWithTickets> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': ordersPartition(orgId, eventId) },
    ConsistentRead: true,
    Limit: ordersPerPage,
  });
  for await (const items of pages) {
    const orders = items.map(parseOrder);
    const keys = orders.map((order) => orderTicketsKey(orgId, eventId, orderSortKey(order)));
    const [read, sold] = await Promise.all([
      readTickets(table, orgId, items.flatMap(barcodesOf)),
      batchGet(table, keys, { consistent: true }),
    ]);
    const tickets = Map.groupBy(read, ({ orderId }) => orderId);
    const memberships = new Map(sold.map((item) => [item.sk, parseOrderTickets(item).memberships]));
    yield* orders.map((order, index) => ({
      order,
      tickets: tickets.get(order.orderId) ?? [],
      memberships: memberships.get(keys[index]?.sk) ?? [],
    }));
  }
}

/** Yields every scan of an event, the oldest first. */
export async function* everyScan(table: Table, orgId: string, eventId: number): AsyncGenerator<ScanRecord> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': scansPartition(orgId, eventId) },
    ConsistentRead: true,
  });
  for await (const items of pages) yield* items.map(parseScan);
}
