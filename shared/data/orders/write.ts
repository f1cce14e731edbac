import { countOrder } from '../../domain/orders/counts.ts';
import {
  type NewOrder,
  type OrderWithTickets,
  orderProblem,
  orderRecords,
  type TicketRecord,
} from '../../domain/orders/order.ts';
import { noPassages, type PassageLog } from '../../domain/scans/judgement.ts';
import { Fault } from '../../platform/fault.ts';
import { addToCounters } from '../counters/counter-item.ts';
import { salesCounters, salesShards } from '../counters/sales.ts';
import type { Table } from '../table/table.ts';
import type { Refusal, TransactItem } from '../table/transact.ts';
import { type Refusals, type TransactionExtras, transactWithCallerItems } from '../table/transact-with-caller-items.ts';
import { readOrderWithTickets } from './read.ts';
import { type OrderItem, orderIdClaim, orderRow, orderUuidClaim, orderWordItems } from './row.ts';
import { ticketItem } from './ticket-row.ts';

export type OrderOutcome =
  | { readonly outcome: 'recorded'; readonly placed: OrderWithTickets }
  /** The order was recorded before, as it is given here: nothing was written. */
  | { readonly outcome: 'repeated'; readonly placed: OrderWithTickets }
  /** Another order has the UUID. */
  | { readonly outcome: 'uuid_taken' }
  /** Other tickets or members have these barcodes. */
  | { readonly outcome: 'barcodes_taken'; readonly barcodes: readonly string[] }
  | { readonly outcome: 'invalid'; readonly problem: string }
  /** What the caller wanted to change beside it was refused: nothing was written. */
  | { readonly outcome: 'refused'; readonly callerItems: readonly Refusal[] };

/** The items of a sale, as every writer of sales writes them: first those that may be there only once. */
export function orderItems(
  orgId: string,
  placed: OrderWithTickets,
  logOf: (ticket: TicketRecord) => PassageLog = () => noPassages,
): readonly OrderItem[] {
  const { order, tickets } = placed;
  return [
    orderIdClaim(orgId, order),
    orderUuidClaim(orgId, order),
    ...tickets.map((ticket) => ticketItem(orgId, ticket, logOf(ticket))),
    orderRow(orgId, placed),
    ...orderWordItems(orgId, order),
  ];
}

const claims = 2;

/**
 * Records a sale: order, tickets, what the order is searched by and the counters, with what belongs to it, in one transaction.
 * The order's id makes it happen once: a repeat is answered with what was recorded, whatever else it says. Imports and
 * checkouts alike come through here.
 */
export async function writeOrder(
  table: Table,
  orgId: string,
  placed: NewOrder,
  together: TransactionExtras<OrderWithTickets> = {},
): Promise<OrderOutcome> {
  const problem = orderProblem(placed);
  if (problem !== undefined) return { outcome: 'invalid', problem };
  const recorded = orderRecords(placed);
  const once = claims + recorded.tickets.length;
  const puts = orderItems(orgId, recorded).map((item, index) => put(table, item, index < once));
  const counts = countOrder(recorded.tickets);
  const refused = await transactWithCallerItems(
    table,
    (attempt) => {
      const counters = salesCounters(orgId, recorded.order, counts, salesShards.choose(attempt));
      return [...puts, ...addToCounters(table, counters)];
    },
    recorded,
    together,
  );
  return outcomeOf(table, orgId, recorded, refused);
}

function put(table: Table, Item: OrderItem, isNew: boolean): TransactItem {
  return {
    Put: { TableName: table.name, Item, ...(isNew && { ConditionExpression: 'attribute_not_exists(pk)' }) },
  };
}

async function outcomeOf(
  table: Table,
  orgId: string,
  placed: OrderWithTickets,
  refused: Refusals,
): Promise<OrderOutcome> {
  const { order, tickets } = placed;
  const places = new Set(refused.own.map(({ index }) => index));
  if (places.has(0)) {
    const recorded = await readOrderWithTickets(table, orgId, order.orderId);
    if (recorded === undefined)
      throw new Fault(`The id of the order ${order.orderId} is claimed, but the order is missing.`);
    return { outcome: 'repeated', placed: recorded };
  }
  if (places.has(1)) return { outcome: 'uuid_taken' };
  const barcodes = tickets.filter((_, index) => places.has(claims + index)).map(({ barcode }) => barcode);
  if (barcodes.length > 0) return { outcome: 'barcodes_taken', barcodes };
  if (refused.callerItems.length > 0) return { outcome: 'refused', callerItems: refused.callerItems };
  return { outcome: 'recorded', placed };
}
