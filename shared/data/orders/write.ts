import { countOrder } from '../../domain/orders/counts.ts';
import { type RecordedSale, recordsOf, type Sale, saleProblem, type TicketRecord } from '../../domain/orders/order.ts';
import { noPassages, type PassageLog } from '../../domain/scans/judgement.ts';
import { Fault } from '../../platform/fault.ts';
import { addToCounters } from '../counters/counter-item.ts';
import { salesCounters, salesShards } from '../counters/sales.ts';
import type { Table } from '../table/table.ts';
import type { Refusal, TransactItem } from '../table/transact.ts';
import { type Refusals, type Together, transactBeside } from '../table/transact-with-caller-items.ts';
import { readSale } from './read.ts';
import { type OrderItem, orderIdClaim, orderRow, orderUuidClaim, orderWordItems } from './row.ts';
import { ticketItem } from './ticket-row.ts';

export type SaleOutcome =
  | { readonly outcome: 'recorded'; readonly sale: RecordedSale }
  /** The order was recorded before, as it is given here: nothing was written. */
  | { readonly outcome: 'repeated'; readonly sale: RecordedSale }
  /** Another order has the UUID. */
  | { readonly outcome: 'uuid_taken' }
  /** Other tickets or members have these barcodes. */
  | { readonly outcome: 'barcodes_taken'; readonly barcodes: readonly string[] }
  | { readonly outcome: 'invalid'; readonly problem: string }
  /** What the caller wanted to change beside it was refused: nothing was written. */
  | { readonly outcome: 'refused'; readonly beside: readonly Refusal[] };

/** The items of a sale, as every writer of sales writes them: first those that may be there only once. */
export function saleItems(
  orgId: string,
  sale: RecordedSale,
  logOf: (ticket: TicketRecord) => PassageLog = () => noPassages,
): readonly OrderItem[] {
  const { order, tickets } = sale;
  return [
    orderIdClaim(orgId, order),
    orderUuidClaim(orgId, order),
    ...tickets.map((ticket) => ticketItem(orgId, ticket, logOf(ticket))),
    orderRow(orgId, sale),
    ...orderWordItems(orgId, order),
  ];
}

const claims = 2;

/**
 * Records a sale: order, tickets, what the order is searched by and the counters, with what belongs to it, in one transaction.
 * The order's id makes it happen once: a repeat is answered with what was recorded, whatever else it says. Imports and
 * checkouts alike come through here.
 */
export async function recordSale(
  table: Table,
  orgId: string,
  sale: Sale,
  together: Together<RecordedSale> = {},
): Promise<SaleOutcome> {
  const problem = saleProblem(sale);
  if (problem !== undefined) return { outcome: 'invalid', problem };
  const recorded = recordsOf(sale);
  const once = claims + recorded.tickets.length;
  const puts = saleItems(orgId, recorded).map((item, index) => put(table, item, index < once));
  const counts = countOrder(recorded.tickets);
  const refused = await transactBeside(
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

async function outcomeOf(table: Table, orgId: string, sale: RecordedSale, refused: Refusals): Promise<SaleOutcome> {
  const { order, tickets } = sale;
  const places = new Set(refused.own.map(({ index }) => index));
  if (places.has(0)) {
    const recorded = await readSale(table, orgId, order.orderId);
    if (recorded === undefined) throw new Fault(`The order ${order.orderId} is claimed but not there.`);
    return { outcome: 'repeated', sale: recorded };
  }
  if (places.has(1)) return { outcome: 'uuid_taken' };
  const barcodes = tickets.filter((_, index) => places.has(claims + index)).map(({ barcode }) => barcode);
  if (barcodes.length > 0) return { outcome: 'barcodes_taken', barcodes };
  if (refused.beside.length > 0) return { outcome: 'refused', beside: refused.beside };
  return { outcome: 'recorded', sale };
}
