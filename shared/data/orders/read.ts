import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { emailIdentity } from '../../domain/customers/customer.ts';
import type { OrderRecord, OrderWithTickets, TicketRecord } from '../../domain/orders/order.ts';
import { keyOfText } from '../../domain/search/query.ts';
import { batchGet } from '../table/batch-get.ts';
import { barcodeKey, type ItemKey, userOrdersPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import {
  barcodesOf,
  claimedOrder,
  confirmedSortKeys,
  orderIdKey,
  orderUuidKey,
  parseOrder,
  wordPartition,
} from './row.ts';
import { parseTicket } from './ticket-row.ts';

/** Returns the order with an id and all its tickets, sorted by id. The event need not be known. */
export async function readOrderWithTickets(
  table: Table,
  orgId: string,
  orderId: number,
): Promise<OrderWithTickets | undefined> {
  const row = await claimedRow(table, orgId, orderIdKey(orgId, orderId));
  if (row === undefined) return undefined;
  return { order: parseOrder(row), tickets: await readTickets(table, orgId, barcodesOf(row)) };
}

/** Returns the order with an id, without its tickets. */
export async function readOrder(table: Table, orgId: string, orderId: number): Promise<OrderRecord | undefined> {
  const row = await claimedRow(table, orgId, orderIdKey(orgId, orderId));
  return row === undefined ? undefined : parseOrder(row);
}

export async function readOrderByUuid(table: Table, orgId: string, uuid: string): Promise<OrderRecord | undefined> {
  const row = await claimedRow(table, orgId, orderUuidKey(orgId, uuid));
  return row === undefined ? undefined : parseOrder(row);
}

/** Returns the orders of a customer for all events, the oldest first: only the confirmed ones, or the confirmed before the others. */
export async function ordersOfUser(
  table: Table,
  orgId: string,
  userId: number,
  which: 'all' | 'confirmed',
): Promise<readonly OrderRecord[]> {
  const prefix = which === 'confirmed' ? confirmedSortKeys : '';
  const items = await queryAll(table, {
    IndexName: 'by1',
    KeyConditionExpression: `by1pk = :pk${prefix === '' ? '' : ' AND begins_with(by1sk, :prefix)'}`,
    ExpressionAttributeValues: {
      ':pk': userOrdersPartition(orgId, userId),
      ...(prefix !== '' && { ':prefix': prefix }),
    },
  });
  return items.map(parseOrder);
}

/** Returns the orders of an event whose buyer has this email address. The address is always one of an order's search words. */
export async function ordersByEmail(
  table: Table,
  orgId: string,
  eventId: number,
  emailAddress: string,
): Promise<readonly OrderRecord[]> {
  const key = keyOfText(emailAddress);
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :key)',
    ExpressionAttributeValues: { ':pk': wordPartition(orgId, eventId, key), ':key': key },
    ConsistentRead: true,
  });
  const isTheirs = ({ emailAddress: known }: OrderRecord): boolean =>
    known !== null && emailIdentity(known) === emailIdentity(emailAddress);
  return items.map(parseOrder).filter(isTheirs);
}

async function claimedRow(table: Table, orgId: string, claim: ItemKey): Promise<Record<string, unknown> | undefined> {
  const found = await getConsistent(table, claim);
  return found === undefined ? undefined : getConsistent(table, claimedOrder(orgId, found));
}

async function getConsistent(table: Table, Key: ItemKey): Promise<Record<string, unknown> | undefined> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item;
}

export async function readTickets(
  table: Table,
  orgId: string,
  barcodes: readonly string[],
): Promise<readonly TicketRecord[]> {
  const keys = barcodes.map((barcode) => barcodeKey(orgId, barcode));
  const tickets = (await batchGet(table, keys, { consistent: true })).map(parseTicket);
  return tickets.toSorted((one, other) => one.ticketId - other.ticketId);
}
