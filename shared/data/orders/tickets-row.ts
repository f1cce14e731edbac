import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import { idText } from '../../domain/ids.ts';
import { type OrderWithTickets, orderIdAt, orderSortKey, type TicketRecord } from '../../domain/orders/order.ts';
import { recordedSecondText } from '../../domain/time/time-buckets.ts';
import {
  addressOrdersPartition,
  changedTicketsPartition,
  type ItemKey,
  orderTicketsKey,
  parseEventPartition,
} from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { carried, carriedPart, row, storedEnum, unknownAttributesOf } from '../table/row.ts';
import { ownerIndexKeys } from './owner-index.ts';
import { moneyAndStockOf, moneyAttributes, stockAttributes, storedMoneyAndStock } from './ticket-attributes.ts';

type OrderTicketsItem = ItemKey & Readonly<Record<string, unknown>>;

/** The tickets of an order as they are shown. The buyer's address is in the order only. */
export type ShownTicket = Omit<TicketRecord, 'emailAddress'>;

const text = v.optional(v.string());

/** What tickets of one price have in common. It is stored once for all tickets of the order. */
const Sort = row({
  price: v.number(),
  nth: v.number(),
  title: v.string(),
  cat: v.number(),
  group: v.string(),
  ...moneyAttributes,
  ...stockAttributes,
});
const Ticket = row({
  /** The number that is added to the id of the order. */
  n: v.number(),
  /** The index of its sort. */
  s: v.number(),
  st: storedEnum([0, 1, 2, 3], 2),
  code: v.string(),
  at: v.number(),
  name: text,
  member: v.optional(v.number()),
  section: text,
  part: text,
  aisle: text,
  row: text,
  seat: text,
});
/** The key of the row contains the ids of the event and the order, so a list reads them once. */
const StoredTickets = row({
  pk: v.string(),
  sk: v.string(),
  sorts: v.array(Sort),
  tickets: v.array(Ticket),
  v: v.number(),
});

export interface OrderTickets {
  readonly orderId: number;
  readonly tickets: readonly ShownTicket[];
  /** The version of the order that has these tickets. */
  readonly version: number;
}

/**
 * All tickets of an order in one item, so an order is shown with two reads and a list of tickets reads few bytes for each.
 * It is written in every transaction that writes the order. Index by1 sorts the items of an event by the last change of a
 * ticket, and index by6 lists the orders of an email address. Scans do not change it.
 */
export function orderTicketsItem(
  orgId: string,
  { order, tickets }: OrderWithTickets,
  hash: PersonHash,
): OrderTicketsItem {
  const sorts: string[] = [];
  const stored = tickets.map((ticket) => {
    const sort = JSON.stringify(sortOf(ticket));
    if (!sorts.includes(sort)) sorts.push(sort);
    return ticketOf(ticket, sorts.indexOf(sort));
  });
  const updatedUnix = Math.max(...tickets.map((ticket) => ticket.updatedUnix));
  return {
    ...unknownAttributesOf(tickets[0], 'item'),
    ...orderTicketsKey(orgId, order.eventId, orderSortKey(order)),
    by1pk: changedTicketsPartition(orgId, order.eventId),
    by1sk: changedTicketsSortKey(updatedUnix, order.orderId),
    ...(order.emailAddress !== null && ownerIndexKeys(addressOrdersPartition(orgId, order.emailAddress, hash), order)),
    sorts: sorts.map((sort): unknown => JSON.parse(sort)),
    tickets: stored,
    v: order.version,
  };
}

const changedTicketsSortKey = (updatedUnix: number, orderId: number): string =>
  `${recordedSecondText(updatedUnix)}#${idText(orderId)}`;

function sortOf(ticket: TicketRecord): v.InferInput<typeof Sort> {
  return {
    ...unknownAttributesOf(ticket, 'sort'),
    price: ticket.priceId,
    nth: ticket.priceIndex,
    title: ticket.priceTitle,
    cat: ticket.categoryId,
    group: ticket.categoryTitle,
    ...storedMoneyAndStock(ticket),
  };
}

function ticketOf(ticket: TicketRecord, sort: number): Record<string, unknown> {
  const stored: v.InferInput<typeof Ticket> = {
    n: ticket.ticketId - ticket.orderId,
    s: sort,
    st: ticket.status,
    code: ticket.barcode,
    at: ticket.updatedUnix,
    name: ticket.ticketName ?? undefined,
    member: ticket.holderMemberId ?? undefined,
    section: ticket.sectionLabel ?? undefined,
    part: ticket.subSectionTitle ?? undefined,
    aisle: ticket.seatAisle ?? undefined,
    row: ticket.seatRow ?? undefined,
    seat: ticket.seatTitle ?? undefined,
  };
  return { ...carried(ticket), ...given(stored) };
}

export function parseOrderTickets(item: unknown): OrderTickets {
  const stored = v.parse(StoredTickets, item);
  const { pk, sk, sorts, tickets, v: version } = stored;
  const { eventId } = parseEventPartition(pk);
  const orderId = orderIdAt(sk);
  return {
    orderId,
    version,
    tickets: tickets.map((ticket): ShownTicket => {
      const sort = sorts[ticket.s];
      if (sort === undefined) throw new Error(`A ticket of the order ${orderId} has no price.`);
      return {
        ...carriedPart('item', stored, carriedPart('sort', sort, ticket)),
        ticketId: orderId + ticket.n,
        orderId,
        eventId,
        status: ticket.st,
        barcode: ticket.code,
        priceId: sort.price,
        priceIndex: sort.nth,
        priceTitle: sort.title,
        categoryId: sort.cat,
        categoryTitle: sort.group,
        ticketName: ticket.name ?? null,
        holderMemberId: ticket.member ?? null,
        ...moneyAndStockOf(sort),
        sectionLabel: ticket.section ?? null,
        subSectionTitle: ticket.part ?? null,
        seatAisle: ticket.aisle ?? null,
        seatRow: ticket.row ?? null,
        seatTitle: ticket.seat ?? null,
        updatedUnix: ticket.at,
      };
    }),
  };
}
