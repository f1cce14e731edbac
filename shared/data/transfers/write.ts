import { idText } from '../../domain/ids.ts';
import { transferredTicket } from '../../domain/orders/held-tickets.ts';
import type { OrderWithTickets, TicketRecord } from '../../domain/orders/order.ts';
import type { TransferOffer } from '../../domain/orders/transfer.ts';
import { ticketItem } from '../orders/barcode-row.ts';
import { orderPuts } from '../orders/change-holder.ts';
import { readOrderAt } from '../orders/read.ts';
import type { OrderRef } from '../orders/row.ts';
import { personHash } from '../table/hash-key.ts';
import { barcodeKey, offeredTicketsPartition } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { barcodesOfTicket, readBarcodeRows } from './read.ts';
import { type BarcodeRow, storedOffers } from './row.ts';

/** A ticket as it is now, with the rows of all its barcodes; the last one is that of its barcode. */
export interface TicketState {
  readonly placed: OrderWithTickets;
  readonly ticket: TicketRecord;
  readonly row: BarcodeRow;
  readonly former: readonly BarcodeRow[];
}

/** Undefined if the order has no such ticket. Rows and order that do not fit together are read again. */
export function readTicketState(
  table: Table,
  orgId: string,
  ref: OrderRef,
  ticketId: number,
): Promise<{ readonly state: TicketState | undefined }> {
  return retryRaces('ticket', async () => {
    const placed = await readOrderAt(table, orgId, ref);
    const ticket = placed.tickets.find((one) => one.ticketId === ticketId);
    if (ticket === undefined) return { state: undefined };
    const rows = await readBarcodeRows(table, orgId, barcodesOfTicket(ticket));
    const row = rows.at(-1);
    if (row === undefined || row.isFormer || row.ticket.barcode !== ticket.barcode) return undefined;
    return { state: { placed, ticket, row, former: rows.slice(0, -1) } };
  });
}

interface TicketChange<Decided, Refusal> {
  readonly ref: OrderRef;
  readonly ticketId: number;
  /** Decides on the state that was read, or refuses. It is asked again after a conflict. */
  readonly decide: (state: TicketState) => Decided | { readonly refusal: Refusal };
}

/** Writes the offers of a ticket. Undefined if the order has no such ticket. */
export function changeOffers<Refusal = never>(
  table: Table,
  orgId: string,
  { ref, ticketId, decide }: TicketChange<readonly TransferOffer[], Refusal>,
  sideEffects: SideEffects<{ readonly state: TicketState; readonly offers: readonly TransferOffer[] }> = noSideEffects,
): Promise<{ readonly offers: readonly TransferOffer[] | undefined } | { readonly refusal: Refusal }> {
  return retryRaces('ticket', async () => {
    const { state } = await readTicketState(table, orgId, ref, ticketId);
    if (state === undefined) return { offers: undefined };
    const offers = decide(state);
    if ('refusal' in offers) return offers;
    const items = [await offersUpdate(table, orgId, state.row, offers)];
    const refused = await transact(table, items, sideEffects({ state, offers }));
    return refused.length === 0 ? { offers } : undefined;
  });
}

/** The address of the last offer leads to the row, so that the erasure of a person finds it. */
export async function offersUpdate(
  table: Table,
  orgId: string,
  { ticket, version, offered }: BarcodeRow,
  offers: readonly TransferOffer[],
): Promise<TransactItem> {
  const address = offers.at(-1)?.emailAddress ?? null;
  const set = {
    offers: storedOffers(offers),
    offered: Math.max(offered, offers.at(-1)?.number ?? 0),
    v: version + 1,
    ...(address !== null && {
      by6pk: offeredTicketsPartition(orgId, address, await personHash(table)),
      by6sk: idText(ticket.ticketId),
    }),
  };
  const names = Object.keys(set);
  return {
    Update: {
      TableName: table.name,
      Key: barcodeKey(orgId, ticket.barcode),
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}${address === null ? ' REMOVE by6pk, by6sk' : ''}`,
      ConditionExpression: 'v = :known',
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        ':known': version,
      },
    },
  };
}

export interface Acceptance {
  readonly offer: TransferOffer;
  readonly barcode: string;
  readonly name: string;
  readonly userId: number | null;
  readonly atUnix: number;
}

export interface AcceptedTransfer {
  readonly placed: OrderWithTickets;
  readonly after: TicketRecord;
  readonly offer: TransferOffer;
}

/**
 * Gives a ticket to the person who accepts it. One transaction writes the order, the item of its tickets, the row of the new barcode,
 * and the row of the old one, which is void from then on, on the condition that neither the order nor the old row
 * has changed: a scan, a refund and a second acceptance change one of them. Returns the ticket as it is then; undefined if the order has
 * no such ticket. If nothing is decided, nothing is written.
 */
export function acceptTransfer<Refusal = never>(
  table: Table,
  orgId: string,
  { ref, ticketId, decide }: TicketChange<Acceptance | undefined, Refusal>,
  sideEffects: SideEffects<AcceptedTransfer>,
): Promise<{ readonly ticket: TicketRecord | undefined } | { readonly refusal: Refusal }> {
  return retryRaces('ticket', async () => {
    const { state } = await readTicketState(table, orgId, ref, ticketId);
    if (state === undefined) return { ticket: undefined };
    const { placed, ticket, row } = state;
    const acceptance = decide(state);
    if (acceptance === undefined) return { ticket };
    if ('refusal' in acceptance) return acceptance;
    const after = transferredTicket(ticket, acceptance);
    const offer: TransferOffer = { ...acceptance.offer, state: 'accepted' };
    const offers = row.offers.map((one) => (one.number === offer.number ? offer : one));
    const items = [
      ...(await orderPuts(table, orgId, placed, after)),
      voidUpdate(table, orgId, row, { offers, atUnix: acceptance.atUnix }),
      newBarcodePut(table, orgId, row, after),
    ];
    const refused = await transact(table, items, sideEffects({ placed, after, offer }));
    return refused.length === 0 ? { ticket: after } : undefined;
  });
}

/** A release that knows no transfers reads the row as that of a cancelled ticket. Nobody's name stays in it. */
function voidUpdate(
  table: Table,
  orgId: string,
  { ticket, version }: BarcodeRow,
  { offers, atUnix }: { readonly offers: readonly TransferOffer[]; readonly atUnix: number },
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: barcodeKey(orgId, ticket.barcode),
      UpdateExpression:
        'SET st = :cancelled, gone = :gone, offers = :offers, #at = :at, v = :v REMOVE #name, #member, email, by1pk, by1sk',
      ConditionExpression: 'v = :known',
      ExpressionAttributeNames: { '#at': 'at', '#name': 'name', '#member': 'member' },
      ExpressionAttributeValues: {
        ':cancelled': 2,
        ':gone': true,
        ':offers': storedOffers(offers),
        ':at': atUnix,
        ':v': version + 1,
        ':known': version,
      },
    },
  };
}

/** What belongs to one barcode and its holder. The rest, also what only a later release knows, goes on with the ticket. */
const ofOneBarcode = ['went', 'firstIn', 'offers', 'to', 'name', 'member', 'email', 'by1pk', 'by1sk', 'by6pk', 'by6sk'];

function newBarcodePut(table: Table, orgId: string, { item }: BarcodeRow, after: TicketRecord): TransactItem {
  const kept = Object.fromEntries(Object.entries(item).filter(([name]) => !ofOneBarcode.includes(name)));
  return {
    Put: {
      TableName: table.name,
      Item: { ...kept, ...ticketItem(orgId, after) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}
