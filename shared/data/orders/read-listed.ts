import type { EventRecord } from '../../domain/events/event.ts';
import type { OrderMembership } from '../../domain/orders/membership.ts';
import { type OrderRecord, orderSortKey } from '../../domain/orders/order.ts';
import { readEvents } from '../events/read.ts';
import { batchGet } from '../table/batch-get.ts';
import { orderKey, orderTicketsKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseOrderTickets, type ShownTicket } from './order-tickets-row.ts';
import type { OrderPosition } from './positions.ts';
import { parseOrder } from './row.ts';

export interface ListedOrder {
  readonly order: OrderRecord;
  readonly tickets: readonly ShownTicket[];
  readonly memberships: readonly OrderMembership[];
  readonly event: EventRecord | undefined;
}

export interface ListedOrders {
  readonly orders: readonly ListedOrder[];
  readonly hasMore: boolean;
  /** Where the page ended, if the list has a cursor and goes on. */
  readonly next?: string | undefined;
}

interface WantedRows {
  readonly rows: readonly Pick<OrderPosition, 'eventId' | 'sortKey'>[];
  readonly consistent: boolean;
}

/** Reads the orders of a page with their tickets and events. Those that changed between the two reads are left out. */
export async function readListedOrders(
  table: Table,
  orgId: string,
  wanted: WantedRows,
): Promise<readonly ListedOrder[]> {
  const { rows } = wanted;
  const [orders, tickets, events] = await Promise.all([
    readOrders(table, orgId, wanted),
    readOrderTickets(table, orgId, wanted),
    readEvents(table, orgId, new Set(rows.map(({ eventId }) => eventId))),
  ]);
  return rows.flatMap(({ sortKey, eventId }) => {
    const order = orders.get(sortKey);
    const shown = tickets.get(sortKey);
    const isWhole = order !== undefined && shown !== undefined && order.version === shown.version;
    if (!isWhole) return [];
    const { tickets: ownTickets, memberships } = shown;
    return [{ order, tickets: ownTickets, memberships, event: events.get(eventId) }];
  });
}

async function readOrders(
  table: Table,
  orgId: string,
  { rows, consistent }: WantedRows,
): Promise<ReadonlyMap<string, OrderRecord>> {
  const keys = rows.map(({ eventId, sortKey }) => orderKey(orgId, eventId, sortKey));
  const orders = (await batchGet(table, keys, { consistent })).map(parseOrder);
  return new Map(orders.map((order) => [orderSortKey(order), order]));
}

async function readOrderTickets(table: Table, orgId: string, { rows, consistent }: WantedRows) {
  const keys = rows.map(({ eventId, sortKey }) => orderTicketsKey(orgId, eventId, sortKey));
  const items = await batchGet(table, keys, { consistent });
  return new Map(items.map((item) => [String(item.sk), parseOrderTickets(item)]));
}
