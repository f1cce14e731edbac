import { type BookedChange, bookedChange } from '../../domain/journal/booked-change.ts';
import type { RefundAmounts } from '../../domain/journal/money-moves.ts';
import {
  type ChangedOrder,
  changeOrder,
  type TicketsChange,
  unknownMembers,
  unknownTickets,
} from '../../domain/orders/change-order.ts';
import { countChange, countOrder } from '../../domain/orders/counts.ts';
import {
  noEventId,
  type OrderRecord,
  type OrderWithTickets,
  orderSortKey,
  type TicketRecord,
} from '../../domain/orders/order.ts';
import { Fault } from '../../platform/fault.ts';
import { addToCounters, type CounterItem, mergeCounters } from '../counters/counter-item.ts';
import { statusChange } from '../counters/order-rows.ts';
import { salesCounters } from '../counters/sales.ts';
import { salesShards } from '../counters/sales-shards.ts';
import { settlementCounters } from '../counters/settlement.ts';
import { journalItems } from '../journal/journal-items.ts';
import { personHash } from '../table/hash-key.ts';
import { barcodeKey, orderKey } from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type Refusal, type TransactItem, type TransactionExtras, transact } from '../table/transact.ts';
import { orderChangePuts } from './change-puts.ts';
import { readOrderWithTickets } from './read.ts';
import { orderWordItems } from './row.ts';

export type ChangeOutcome =
  | { readonly outcome: 'changed'; readonly change: ChangedOrder }
  /** All of the tickets were already cancelled or refunded: nothing was written. */
  | { readonly outcome: 'unchanged'; readonly placed: OrderWithTickets }
  | { readonly outcome: 'missing' }
  /** The order has no tickets with these ids: nothing was written. */
  | { readonly outcome: 'unknown_tickets'; readonly ticketIds: readonly number[] }
  /** The order has no memberships of these members: nothing was written. */
  | { readonly outcome: 'unknown_members' }
  /** The condition of one of the caller's items failed: nothing was written. */
  | { readonly outcome: 'refused'; readonly refusals: readonly Refusal[] };

/** How a change of an order is booked that the journal has the sale of. */
export interface Booking {
  /** The time of the entry and of what is settled. It is asked for at each attempt. */
  readonly nowMs: () => number;
  /** What is returned; by default what the refunded tickets cost. */
  readonly refund?: RefundAmounts | undefined;
}

interface ChangeExtras extends TransactionExtras<ChangedOrder> {
  readonly booking?: Booking;
}

/**
 * Cancels or refunds an order or some of its tickets. One transaction changes the statuses of the tickets and the order, the
 * counters of the time in which the order was placed, what is settled now, the journal, the caller's items and the side effects. The order's version makes
 * sure that it happens once: the second of two concurrent calls finds nothing left to change.
 */
export function changeTickets(
  table: Table,
  { orgId, orderId }: { readonly orgId: string; readonly orderId: number },
  wanted: TicketsChange,
  { callerItems = noSideEffects, sideEffects = noSideEffects, booking }: ChangeExtras = {},
): Promise<ChangeOutcome> {
  return retryRaces('order', async (): Promise<ChangeOutcome | undefined> => {
    const before = await readOrderWithTickets(table, orgId, orderId);
    if (before === undefined) return { outcome: 'missing' };
    const ticketIds = unknownTickets(before, wanted);
    if (ticketIds.length > 0) return { outcome: 'unknown_tickets', ticketIds };
    if (unknownMembers(before, wanted).length > 0) return { outcome: 'unknown_members' };
    const change = changeOrder(before, wanted);
    if (change.after === before) return { outcome: 'unchanged', placed: before };
    const sales = {
      counts: countChange(countOrder(before), countOrder(change.after)),
      statuses: statusChange(before.order.status, change.after.order.status),
    };
    const hash = await personHash(table);
    const ofCaller = callerItems(change);
    const booked = book(change, wanted, booking);
    const refusals = await transact(
      table,
      (attempt) => {
        const shard = salesShards.choose(attempt);
        const isOfEvent = before.order.eventId !== noEventId;
        const counters = isOfEvent
          ? [...salesCounters(orgId, before.order, sales, shard), ...settledNow(orgId, booked, shard)]
          : [];
        return [
          ...rows(table, orgId, change, { hash, ticketVersion: wanted.ticketVersion }),
          ...addToCounters(table, mergeCounters(counters)),
          ...(booked === undefined ? [] : journalItems(table, orgId, booked.move, booked.nowMs)),
          ...ofCaller,
        ];
      },
      sideEffects(change),
    );
    if (refusals.some(({ label }) => label === 'order')) return undefined;
    return refusals.length > 0 ? { outcome: 'refused', refusals } : { outcome: 'changed', change };
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

interface BookedNow extends BookedChange {
  readonly eventId: number;
  readonly nowMs: number;
}

/** Undefined if the journal has no sale of the order. */
function book(change: ChangedOrder, wanted: TicketsChange, booking: Booking | undefined): BookedNow | undefined {
  const { order } = change.after;
  if (!order.isBooked) return undefined;
  if (booking === undefined) throw new Fault(`The change of the order ${order.orderId} is not booked.`);
  return { ...bookedChange(change, wanted, booking.refund), eventId: order.eventId, nowMs: booking.nowMs() };
}

function settledNow(orgId: string, booked: BookedNow | undefined, shard: number): readonly CounterItem[] {
  if (booked === undefined) return [];
  const { eventId, nowMs, settled } = booked;
  return settlementCounters(orgId, { eventId, atUnix: Math.floor(nowMs / 1000) }, settled, shard);
}

function rows(
  table: Table,
  orgId: string,
  change: ChangedOrder,
  { hash, ticketVersion }: { readonly hash: PersonHash; readonly ticketVersion: number | undefined },
): TransactItem[] {
  const { before, after, changed, released = [] } = change;
  // The search words contain the order's status. They need no condition, because the order's row has one.
  const words = before.order.status === after.order.status ? [] : orderWordItems(orgId, after.order);
  return [
    ...orderChangePuts(table, orgId, { before, after, hash }),
    ...words.map((Item) => ({ Put: { TableName: table.name, Item } })),
    ...changed.map((ticket) => ticketUpdate(table, orgId, ticket, ticketVersion)),
    ...released.map((ticket) => ticketUpdate(table, orgId, ticket)),
  ];
}

/** The ticket's version is incremented, so a gate that is evaluating a scan of it at this moment evaluates it again. */
export function ticketUpdate(table: Table, orgId: string, ticket: TicketRecord, known?: number): TransactItem {
  const { barcode, status, updatedUnix, keptMinor } = ticket;
  return {
    Update: {
      TableName: table.name,
      Key: barcodeKey(orgId, barcode),
      UpdateExpression: `SET st = :st, #at = :at, v = v + :one${keptMinor === undefined ? '' : ', kept = :kept'}`,
      ...(known !== undefined && { ConditionExpression: 'v = :known' }),
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: {
        ':st': status,
        ':at': updatedUnix,
        ':one': 1,
        ...(keptMinor !== undefined && { ':kept': keptMinor }),
        ...(known !== undefined && { ':known': known }),
      },
    },
  };
}
