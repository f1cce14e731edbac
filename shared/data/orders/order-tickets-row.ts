import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import { idText } from '../../domain/ids.ts';
import type { OrderMembership } from '../../domain/orders/membership.ts';
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

type OrderTicketsItem = ItemKey & Readonly<Record<string, unknown>>;

/** The tickets of an order as they are shown. The buyer's address is in the order only. */
export type ShownTicket = Omit<TicketRecord, 'emailAddress'>;

const text = v.optional(v.string());

/** What tickets of one price have in common. It is stored once for all tickets of the order. */
const Sort = row({
  ...priceAttributes,
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
  ...holderAndSeatAttributes,
  ...transferAttributes,
  ...keptAttributes,
});
const Membership = row({
  id: v.number(),
  num: text,
  code: text,
  type: v.number(),
  title: v.string(),
  first: text,
  last: text,
  until: v.optional(v.number()),
  /** The id of the term is that of the order plus this number. */
  term: v.number(),
  line: v.number(),
  /** Only stored if it was not taken from the capacity of its type. */
  own: v.optional(v.boolean(), true),
  st: storedEnum([0, 1, 2, 3], 2),
  /** The types to whose capacity places of earlier terms returned. */
  back: v.optional(v.array(v.number())),
  gone: v.optional(v.literal(true)),
  /** The id of the plan is that of the order plus this number. */
  plan: v.optional(v.number()),
  /** The end of the period of withdrawal. */
  wd: v.optional(v.number()),
  ...moneyAttributes,
  ...keptAttributes,
});
/** The key of the row contains the ids of the event and the order, so a list reads them once. */
const StoredTickets = row({
  pk: v.string(),
  sk: v.string(),
  sorts: v.array(Sort),
  tickets: v.array(Ticket),
  mems: v.optional(v.array(Membership), []),
  v: v.number(),
});

export interface OrderTickets {
  readonly orderId: number;
  readonly tickets: readonly ShownTicket[];
  readonly memberships: readonly OrderMembership[];
  /** The version of the order that has these tickets. */
  readonly version: number;
}

/**
 * All tickets and memberships of an order in one item, so an order is shown with two reads and a list of tickets reads few bytes for each.
 * It is written in every transaction that writes the order. Index by1 sorts the items of an event by the last change of a
 * ticket, and index by6 lists the orders of an email address. Scans do not change it.
 */
export function orderTicketsItem(
  orgId: string,
  { order, tickets, memberships }: OrderWithTickets,
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
    ...(tickets.length > 0 && {
      by1pk: changedTicketsPartition(orgId, order.eventId),
      by1sk: changedTicketsSortKey(updatedUnix, order.orderId),
    }),
    ...(order.emailAddress !== null && ownerIndexKeys(addressOrdersPartition(orgId, order.emailAddress, hash), order)),
    sorts: sorts.map((sort): unknown => JSON.parse(sort)),
    tickets: stored,
    ...(memberships.length > 0 && { mems: memberships.map((one) => membershipOf(one, order.orderId)) }),
    v: order.version,
  };
}

const changedTicketsSortKey = (updatedUnix: number, orderId: number): string =>
  `${recordedSecondText(updatedUnix)}#${idText(orderId)}`;

function sortOf(ticket: TicketRecord): v.InferInput<typeof Sort> {
  return {
    ...unknownAttributesOf(ticket, 'sort'),
    ...storedPrice(ticket),
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
    ...storedHolderAndSeat(ticket),
    ...storedTransfers(ticket),
    ...storedKept(ticket),
  };
  return { ...carried(ticket), ...given(stored) };
}

function membershipOf(membership: OrderMembership, orderId: number): Record<string, unknown> {
  const stored: v.InferInput<typeof Membership> = {
    id: membership.memberId,
    num: membership.memberNumber ?? undefined,
    code: membership.barcode ?? undefined,
    type: membership.typeId,
    title: membership.typeTitle,
    first: membership.firstName ?? undefined,
    last: membership.lastName ?? undefined,
    until: membership.expiresUnix ?? undefined,
    term: membership.termId - orderId,
    line: membership.lineId,
    st: membership.status,
    plan: membership.planId == null ? undefined : membership.planId - orderId,
    back: membership.returnedPlaces === undefined ? undefined : [...membership.returnedPlaces],
    gone: membership.placeReturned,
    wd: membership.withdrawalEndsUnix,
    ...storedKept(membership),
    ...storedMoneyAndStock({ ...membership, poolIndex: null }),
  };
  return { ...carried(membership), ...given(stored) };
}

function parseMembership(stored: v.InferOutput<typeof Membership>, orderId: number): OrderMembership {
  const { poolIndex: _p, takesSeat: _s, ...moneyAndStock } = moneyAndStockOf({ ...stored, seated: false });
  return {
    ...carried(stored),
    memberId: stored.id,
    memberNumber: stored.num ?? null,
    barcode: stored.code ?? null,
    typeId: stored.type,
    typeTitle: stored.title,
    firstName: stored.first ?? null,
    lastName: stored.last ?? null,
    expiresUnix: stored.until ?? null,
    termId: orderId + stored.term,
    lineId: stored.line,
    status: stored.st,
    planId: stored.plan === undefined ? null : orderId + stored.plan,
    ...(stored.back !== undefined && { returnedPlaces: stored.back }),
    ...(stored.gone === true && { placeReturned: stored.gone }),
    ...(stored.wd !== undefined && { withdrawalEndsUnix: stored.wd }),
    ...moneyAndStock,
    ...keptOf(stored),
  };
}

export function parseOrderTickets(item: unknown): OrderTickets {
  const stored = v.parse(StoredTickets, item);
  const { pk, sk, sorts, tickets, mems, v: version } = stored;
  const { eventId } = parseEventPartition(pk);
  const orderId = orderIdAt(sk);
  return {
    orderId,
    version,
    memberships: mems.map((membership) => parseMembership(membership, orderId)),
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
        ...priceOf(sort),
        ...holderAndSeatOf(ticket),
        ...moneyAndStockOf(sort),
        updatedUnix: ticket.at,
        ...transfersOf(ticket),
        ...keptOf(ticket),
      };
    }),
  };
}
