import { changedAt, type OrderRecord, type OrderWithTickets, type TicketRecord } from '../../domain/orders/order.ts';
import { wasAtGate } from '../../domain/scans/evaluate.ts';
import { personHash } from '../table/hash-key.ts';
import { barcodeKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { readBarcodeRows } from '../transfers/read.ts';
import { orderChangePuts } from './change-puts.ts';
import { readOrderAt } from './read.ts';
import type { OrderRef } from './row.ts';

export interface NamedTicket {
  readonly before: TicketRecord;
  readonly after: TicketRecord;
}

interface NameChange<Refusal> {
  readonly ref: OrderRef;
  readonly ticketId: number;
  readonly atUnix: number;
  /**
   * Returns the name that the ticket gets, or why it keeps its own. It decides by the rows that are written, and is asked again
   * whenever they have changed meanwhile.
   */
  readonly nameOf: (
    ticket: TicketRecord,
    order: OrderRecord,
    wasScanned: boolean,
  ) => string | null | { readonly refusal: Refusal };
}

/** Changes the name on a ticket of an order. Returns the ticket as it is then, undefined if the order has no such ticket. */
export function changeHolder<Refusal = never>(
  table: Table,
  orgId: string,
  { ref, ticketId, atUnix, nameOf }: NameChange<Refusal>,
  sideEffects: SideEffects<NamedTicket> = noSideEffects,
): Promise<{ readonly ticket: TicketRecord | undefined } | { readonly refusal: Refusal }> {
  return retryRaces('order', async () => {
    const placed = await readOrderAt(table, orgId, ref);
    const before = placed.tickets.find((ticket) => ticket.ticketId === ticketId);
    if (before === undefined) return { ticket: undefined };
    const [row] = await readBarcodeRows(table, orgId, [before.barcode]);
    // The ticket has another barcode since.
    if (row === undefined) return undefined;
    const ticketName = nameOf(before, placed.order, wasAtGate(row.log));
    if (typeof ticketName === 'object' && ticketName !== null) return ticketName;
    if (ticketName === before.ticketName) return { ticket: before };
    const after = { ...before, ticketName, updatedUnix: atUnix };
    const items = [
      ...(await orderPuts(table, orgId, placed, after)),
      // A gate that is evaluating a scan of the ticket at this moment reads it again.
      nameUpdate(table, orgId, after, row.version),
    ];
    const refused = await transact(table, items, sideEffects({ before, after }));
    return refused.length === 0 ? { ticket: after } : undefined;
  });
}

/** The order with one ticket changed, on the condition that the order is as it was read. */
export async function orderPuts(
  table: Table,
  orgId: string,
  placed: OrderWithTickets,
  changed: TicketRecord,
): Promise<TransactItem[]> {
  const after: OrderWithTickets = {
    ...placed,
    order: changedAt(placed.order, changed.updatedUnix),
    tickets: placed.tickets.map((ticket) => (ticket.ticketId === changed.ticketId ? changed : ticket)),
  };
  return orderChangePuts(table, orgId, { before: placed, after, hash: await personHash(table) });
}

/** On the condition that no gate has scanned the ticket meanwhile. */
function nameUpdate(
  table: Table,
  orgId: string,
  { barcode, ticketName, updatedUnix }: TicketRecord,
  version: number,
): TransactItem {
  return {
    label: 'ticket',
    Update: {
      TableName: table.name,
      Key: barcodeKey(orgId, barcode),
      UpdateExpression: `SET v = v + :one, #at = :at${ticketName === null ? ' REMOVE #name' : ', #name = :name'}`,
      ConditionExpression: 'v = :v',
      ExpressionAttributeNames: { '#at': 'at', '#name': 'name' },
      ExpressionAttributeValues: {
        ':one': 1,
        ':v': version,
        ':at': updatedUnix,
        ...(ticketName !== null && { ':name': ticketName }),
      },
    },
  };
}
