import { countChange, countOrder } from '../../domain/orders/counts.ts';
import {
  type ChangedOrder,
  changeOrder,
  type OrderRecord,
  type OrderWithTickets,
  orderSortKey,
  type TicketRecord,
  type TicketsChange,
  unknownTickets,
} from '../../domain/orders/order.ts';
import { addToCounters } from '../counters/counter-item.ts';
import { statusChange } from '../counters/order-rows.ts';
import { salesCounters, salesShards } from '../counters/sales.ts';
import { positionChangePut } from '../positions/change.ts';
import { barcodeKey, orderKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type TransactItem, type TransactionExtras, transact } from '../table/transact.ts';
import { orderPositions } from './positions.ts';
import { readOrderWithTickets } from './read.ts';
import { orderRow, orderWordItems } from './row.ts';
import { orderTicketsItem } from './tickets-row.ts';

export type ChangeOutcome =
  | { readonly outcome: 'changed'; readonly change: ChangedOrder }
  /** All of the tickets were already cancelled or refunded: nothing was written. */
  | { readonly outcome: 'unchanged'; readonly placed: OrderWithTickets }
  | { readonly outcome: 'missing' }
  /** The order has no tickets with these ids: nothing was written. */
  | { readonly outcome: 'unknown_tickets'; readonly ticketIds: readonly number[] }
  /** The condition of one of the caller's items failed: nothing was written. */
  | { readonly outcome: 'refused' };

/**
 * Cancels or refunds an order or some of its tickets. One transaction changes the statuses of the tickets and the order, the
 * counters of the time in which the order was placed, the caller's items and the side effects. The order's version makes
 * sure that it happens once: the second of two concurrent calls finds nothing left to change.
 */
export function changeTickets(
  table: Table,
  { orgId, orderId }: { readonly orgId: string; readonly orderId: number },
  wanted: TicketsChange,
  { callerItems = noSideEffects, sideEffects = noSideEffects }: TransactionExtras<ChangedOrder> = {},
): Promise<ChangeOutcome> {
  return retryRaces('order', async (): Promise<ChangeOutcome | undefined> => {
    const before = await readOrderWithTickets(table, orgId, orderId);
    if (before === undefined) return { outcome: 'missing' };
    const ticketIds = unknownTickets(before, wanted);
    if (ticketIds.length > 0) return { outcome: 'unknown_tickets', ticketIds };
    const change = changeOrder(before, wanted);
    if (change.changed.length === 0) return { outcome: 'unchanged', placed: before };
    const sales = {
      counts: countChange(countOrder(before.tickets), countOrder(change.after.tickets)),
      statuses: statusChange(before.order.status, change.after.order.status),
    };
    const ofCaller = callerItems(change);
    const refusals = await transact(
      table,
      (attempt) => [
        ...rows(table, orgId, change),
        ...addToCounters(table, salesCounters(orgId, before.order, sales, salesShards.choose(attempt))),
        ...ofCaller,
      ],
      sideEffects(change),
    );
    if (refusals.some(({ label }) => label === 'order')) return undefined;
    return refusals.length > 0 ? { outcome: 'refused' } : { outcome: 'changed', change };
  });
}

/** The condition that the order has not changed since it was read. */
export function orderCheck(table: Table, orgId: string, order: OrderRecord): TransactItem {
  const Key = orderKey(orgId, order.eventId, orderSortKey(order));
  return {
    ConditionCheck: {
      TableName: table.name,
      Key,
      ConditionExpression: 'v = :v',
      ExpressionAttributeValues: { ':v': order.version },
    },
  };
}

function rows(table: Table, orgId: string, { before, after, changed }: ChangedOrder): TransactItem[] {
  // The search words and the position contain the order's status. They need no condition, because the order's row has one.
  const words = before.order.status === after.order.status ? [] : orderWordItems(orgId, after.order);
  const { orderId: id, version } = after.order;
  const [old, current] = [orderPositions(before.order), orderPositions(after.order)];
  return [
    {
      label: 'order',
      Put: {
        TableName: table.name,
        Item: orderRow(orgId, after),
        ConditionExpression: 'v = :v',
        ExpressionAttributeValues: { ':v': before.order.version },
      },
    },
    ...[orderTicketsItem(orgId, after), ...words].map((Item) => ({ Put: { TableName: table.name, Item } })),
    ...positionChangePut(table, orgId, 'orders', { id, version, before: old, after: current }),
    ...changed.map((ticket) => ticketUpdate(table, orgId, ticket)),
  ];
}

/** The ticket's version is incremented, so a gate that is evaluating a scan of it at this moment evaluates it again. */
function ticketUpdate(table: Table, orgId: string, { barcode, status, updatedUnix }: TicketRecord): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: barcodeKey(orgId, barcode),
      UpdateExpression: 'SET st = :st, #at = :at, v = v + :one',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':st': status, ':at': updatedUnix, ':one': 1 },
    },
  };
}
