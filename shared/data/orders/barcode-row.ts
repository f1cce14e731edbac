import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import { idText } from '../../domain/ids.ts';
import type { TicketRecord } from '../../domain/orders/order.ts';
import { noPassages, type PassageLog } from '../../domain/scans/evaluate.ts';
import { barcodeKey, heldTicketsPartition, type ItemKey } from '../table/keys.ts';
import { storedEnum } from '../table/row.ts';
import {
  holderAndSeatAttributes,
  holderAndSeatOf,
  keptAttributes,
  keptOf,
  moneyAndStockOf,
  moneyAttributes,
  priceAttributes,
  priceOf,
  stockAttributes,
  storedHolderAndSeat,
  storedKept,
  storedMoneyAndStock,
  storedPrice,
  storedTransfers,
  transferAttributes,
  transfersOf,
} from './ticket-attributes.ts';

type TicketItem = ItemKey & Readonly<Record<string, unknown>>;

const StoredTicket = v.object({
  kind: v.literal('ticket'),
  id: v.number(),
  order: v.number(),
  event: v.number(),
  st: storedEnum([0, 1, 2, 3], 2),
  code: v.string(),
  ...priceAttributes,
  ...holderAndSeatAttributes,
  email: v.optional(v.string()),
  ...moneyAttributes,
  ...stockAttributes,
  at: v.optional(v.number(), 0),
  ...transferAttributes,
  ...keptAttributes,
});

export function parseTicket(item: unknown): TicketRecord {
  const stored = v.parse(StoredTicket, item);
  return {
    ticketId: stored.id,
    orderId: stored.order,
    eventId: stored.event,
    status: stored.st,
    barcode: stored.code,
    ...priceOf(stored),
    ...holderAndSeatOf(stored),
    emailAddress: stored.email ?? null,
    ...moneyAndStockOf(stored),
    updatedUnix: stored.at,
    ...transfersOf(stored),
    ...keptOf(stored),
  };
}

/** A ticket is stored under its barcode, because the barcode is all that a gate reads. */
export function ticketItem(orgId: string, ticket: TicketRecord, log: PassageLog = noPassages): TicketItem {
  const stored: v.InferInput<typeof StoredTicket> = {
    kind: 'ticket',
    id: ticket.ticketId,
    order: ticket.orderId,
    event: ticket.eventId,
    st: ticket.status,
    code: ticket.barcode,
    ...storedPrice(ticket),
    ...storedHolderAndSeat(ticket),
    email: ticket.emailAddress ?? undefined,
    ...storedMoneyAndStock(ticket),
    at: ticket.updatedUnix,
    ...storedTransfers(ticket),
    ...storedKept(ticket),
  };
  const holder = ticket.transfers?.toUserId ?? null;
  return {
    ...barcodeKey(orgId, ticket.barcode),
    // Index by1 lists the tickets that a customer was given.
    ...(holder !== null && { by1pk: heldTicketsPartition(orgId, holder), by1sk: idText(ticket.ticketId) }),
    ...given(stored),
    ...passageAttributes(log),
    v: 1,
  };
}

const StoredLog = v.object({
  went: v.optional(v.array(v.tuple([storedEnum(['in', 'out'], 'in'), v.number(), v.string()])), []),
  firstIn: v.optional(v.string()),
});

/** The passages of a ticket or member. Every change increments `v`, so each of several gates sees the others' scans. */
export function passageAttributes({ passages, firstSortKey }: PassageLog): Record<string, unknown> {
  const stored: v.InferInput<typeof StoredLog> = {
    went:
      passages.length === 0
        ? undefined
        : passages.map(({ direction, atUnix, sortKey }) => [direction, atUnix, sortKey]),
    firstIn: firstSortKey ?? undefined,
  };
  return given(stored);
}

export function parsePassages(item: unknown): PassageLog {
  const { went, firstIn } = v.parse(StoredLog, item);
  return {
    passages: went.map(([direction, atUnix, sortKey]) => ({ direction, atUnix, sortKey })),
    firstSortKey: firstIn ?? null,
  };
}

const OfTicket = v.object({ kind: v.literal('ticket') });

/** Whether the row of a barcode is that of a ticket. Members have barcodes too. */
export function isTicketRow(item: unknown): boolean {
  return v.is(OfTicket, item);
}

const Former = v.object({ gone: v.literal(true) });

/** Whether the ticket of this row has another barcode now, because it was given to somebody else. */
export function isFormerBarcode(item: unknown): boolean {
  return v.is(Former, item);
}

const Version = v.object({ v: v.number() });

export function versionOf(item: unknown): number {
  return v.parse(Version, item).v;
}
