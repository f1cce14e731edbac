import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import { idText } from '../../domain/ids.ts';
import type { TicketRecord } from '../../domain/orders/order.ts';
import { noPassages, type PassageLog } from '../../domain/scans/evaluate.ts';
import { barcodeKey, heldTicketsPartition, type ItemKey } from '../table/keys.ts';
import { storedEnum } from '../table/row.ts';
import {
  moneyAndStockOf,
  moneyAttributes,
  stockAttributes,
  storedMoneyAndStock,
  storedTransfers,
  transferAttributes,
  transfersOf,
} from './ticket-attributes.ts';

type TicketItem = ItemKey & Readonly<Record<string, unknown>>;

const text = v.optional(v.string());
const StoredTicket = v.object({
  kind: v.literal('ticket'),
  id: v.number(),
  order: v.number(),
  event: v.number(),
  st: storedEnum([0, 1, 2, 3], 2),
  code: v.string(),
  price: v.number(),
  nth: v.number(),
  title: v.string(),
  cat: v.number(),
  group: v.string(),
  name: text,
  member: v.optional(v.number()),
  email: text,
  ...moneyAttributes,
  ...stockAttributes,
  section: text,
  part: text,
  aisle: text,
  row: text,
  seat: text,
  at: v.optional(v.number(), 0),
  ...transferAttributes,
});

export function parseTicket(item: unknown): TicketRecord {
  const stored = v.parse(StoredTicket, item);
  return {
    ticketId: stored.id,
    orderId: stored.order,
    eventId: stored.event,
    status: stored.st,
    barcode: stored.code,
    priceId: stored.price,
    priceIndex: stored.nth,
    priceTitle: stored.title,
    categoryId: stored.cat,
    categoryTitle: stored.group,
    ticketName: stored.name ?? null,
    holderMemberId: stored.member ?? null,
    emailAddress: stored.email ?? null,
    ...moneyAndStockOf(stored),
    sectionLabel: stored.section ?? null,
    subSectionTitle: stored.part ?? null,
    seatAisle: stored.aisle ?? null,
    seatRow: stored.row ?? null,
    seatTitle: stored.seat ?? null,
    updatedUnix: stored.at,
    ...transfersOf(stored),
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
    price: ticket.priceId,
    nth: ticket.priceIndex,
    title: ticket.priceTitle,
    cat: ticket.categoryId,
    group: ticket.categoryTitle,
    name: ticket.ticketName ?? undefined,
    member: ticket.holderMemberId ?? undefined,
    email: ticket.emailAddress ?? undefined,
    ...storedMoneyAndStock(ticket),
    section: ticket.sectionLabel ?? undefined,
    part: ticket.subSectionTitle ?? undefined,
    aisle: ticket.seatAisle ?? undefined,
    row: ticket.seatRow ?? undefined,
    seat: ticket.seatTitle ?? undefined,
    at: ticket.updatedUnix,
    ...storedTransfers(ticket),
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
