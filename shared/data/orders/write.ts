import { settledSale } from '../../domain/journal/settlement.ts';
import { countOrder } from '../../domain/orders/counts.ts';
import {
  type NewOrder,
  noEventId,
  type OrderWithTickets,
  orderProblem,
  orderRecords,
  type TicketRecord,
} from '../../domain/orders/order.ts';
import { noPassages, type PassageLog } from '../../domain/scans/evaluate.ts';
import { Fault } from '../../platform/fault.ts';
import { addToCounters } from '../counters/counter-item.ts';
import { salesCounters } from '../counters/sales.ts';
import { salesShards } from '../counters/sales-shards.ts';
import { positionChangePut } from '../positions/change.ts';
import { personHash } from '../table/hash-key.ts';
import { barcodeKey } from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type Refusal, type TransactItem, type TransactionExtras, transact } from '../table/transact.ts';
import { ticketItem } from './barcode-row.ts';
import { orderTicketsItem } from './order-tickets-row.ts';
import { orderPositions } from './positions.ts';
import { readOrderWithTickets } from './read.ts';
import {
  type OrderItem,
  orderIdItem,
  orderIdKey,
  orderRow,
  orderUuidItems,
  orderUuidKey,
  orderWordItems,
} from './row.ts';

export type OrderOutcome =
  | { readonly outcome: 'recorded'; readonly placed: OrderWithTickets }
  /** An order with this id was recorded before; `placed` is that order. Nothing was written. */
  | { readonly outcome: 'repeated'; readonly placed: OrderWithTickets }
  /** Another order has the UUID. */
  | { readonly outcome: 'uuid_taken' }
  /** Other tickets or members have these barcodes. */
  | { readonly outcome: 'barcodes_taken'; readonly barcodes: readonly string[] }
  | { readonly outcome: 'invalid'; readonly problem: string }
  /** The condition of one of the caller's items failed: nothing was written. */
  | { readonly outcome: 'refused'; readonly refusals: readonly Refusal[] };

interface OrderParts {
  readonly hasBasket: boolean;
  readonly hash: PersonHash;
  readonly logOf?: ((ticket: TicketRecord) => PassageLog) | undefined;
}

/** The items of an order. Those that must not exist yet come first. */
export function orderItems(orgId: string, placed: OrderWithTickets, parts: OrderParts): readonly OrderItem[] {
  const { refs, tickets, others } = itemsOf(orgId, placed, parts);
  return [...refs, ...tickets, ...others];
}

function itemsOf(orgId: string, placed: OrderWithTickets, { hasBasket, hash, logOf = () => noPassages }: OrderParts) {
  const { order, tickets } = placed;
  return {
    refs: [...(hasBasket ? [] : [orderIdItem(orgId, order)]), ...orderUuidItems(orgId, order)],
    tickets: tickets.map((ticket) => ticketItem(orgId, ticket, logOf(ticket))),
    others: [orderRow(orgId, placed, hash), orderTicketsItem(orgId, placed, hash), ...orderWordItems(orgId, order)],
  };
}

interface OrderExtras extends TransactionExtras<OrderWithTickets> {
  /** The caller's items write the basket that becomes the order. Its row leads to the order, and is written once. */
  readonly hasBasket?: boolean;
}

/**
 * Records an order in one transaction: the order, its tickets, its search words, the counters, the caller's items and the
 * side effects. The order's id makes sure that it happens once: a repeat returns the recorded order, whatever else it
 * contains. The repeat of a checkout is refused by its basket. Checkout and imports both use this function.
 */
export async function writeOrder(
  table: Table,
  orgId: string,
  placed: NewOrder,
  { hasBasket = false, callerItems = noSideEffects, sideEffects = noSideEffects }: OrderExtras = {},
): Promise<OrderOutcome> {
  const problem = orderProblem(placed);
  if (problem !== undefined) return { outcome: 'invalid', problem };
  const recorded = orderRecords(placed);
  const { refs, tickets, others } = itemsOf(orgId, recorded, { hasBasket, hash: await personHash(table) });
  const puts = [
    ...[...refs, ...tickets].map((item) => ({ ...putItem(table, item, true), label: item.pk })),
    ...others.map((item) => putItem(table, item, false)),
  ];
  const change = {
    counts: countOrder(recorded),
    statuses: { [recorded.order.status]: 1 },
    ...(recorded.order.isBooked && { settled: settledSale(recorded) }),
  };
  const { orderId: id, version } = recorded.order;
  const after = orderPositions(recorded.order);
  const position = positionChangePut(table, orgId, 'orders', { id, version, before: undefined, after });
  // Counters and settlements are those of an event.
  const isOfEvent = recorded.order.eventId !== noEventId;
  const ofCaller = callerItems(recorded);
  const refusals = await transact(
    table,
    (attempt) => {
      const counters = isOfEvent ? salesCounters(orgId, recorded.order, change, salesShards.choose(attempt)) : [];
      return [...puts, ...position, ...addToCounters(table, counters), ...ofCaller];
    },
    sideEffects(recorded),
  );
  return outcomeOf(table, orgId, recorded, refusals);
}

function putItem(table: Table, Item: OrderItem, isNew: boolean): TransactItem {
  return {
    Put: { TableName: table.name, Item, ...(isNew && { ConditionExpression: 'attribute_not_exists(pk)' }) },
  };
}

async function outcomeOf(
  table: Table,
  orgId: string,
  placed: OrderWithTickets,
  refusals: readonly Refusal[],
): Promise<OrderOutcome> {
  const { order, tickets } = placed;
  const taken = new Set(refusals.map(({ label }) => label));
  if (taken.has(orderIdKey(orgId, order.orderId).pk)) {
    const recorded = await readOrderWithTickets(table, orgId, order.orderId);
    if (recorded === undefined)
      throw new Fault(`The id of the order ${order.orderId} is taken, but the order is missing.`);
    return { outcome: 'repeated', placed: recorded };
  }
  if (taken.has(orderUuidKey(orgId, order.orderUuid).pk)) return { outcome: 'uuid_taken' };
  const barcodes = tickets.map(({ barcode }) => barcode).filter((barcode) => taken.has(barcodeKey(orgId, barcode).pk));
  if (barcodes.length > 0) return { outcome: 'barcodes_taken', barcodes };
  if (refusals.length > 0) return { outcome: 'refused', refusals };
  return { outcome: 'recorded', placed };
}
