import { findOrderRef, readOrderAt } from '../../data/orders/read.ts';
import type { OrderRef } from '../../data/orders/row.ts';
import { readTicketRules } from '../../data/prices/ticket-rules.ts';
import type { Table } from '../../data/table/table.ts';
import type { TicketState } from '../../data/transfers/write.ts';
import { parseId } from '../../domain/ids.ts';
import { isHeldBy } from '../../domain/orders/held-tickets.ts';
import { discountedTickets, orderIdOfTicket, type TicketRecord } from '../../domain/orders/order.ts';
import type { ShownTicket, TicketContext } from '../../domain/orders/shown-order.ts';
import { barcodeTimes, withFanBarcodes } from '../../domain/prices/ticket-rules.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { Deps } from '../pipeline.ts';
import { notFound } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { authenticateFan } from './authenticate-fan.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

interface Found extends TicketContext {
  readonly ref: OrderRef;
  readonly ticket: TicketRecord;
}

/** Finds a ticket with its order, its event and its price. Tickets have the numbers after the id of their order. */
export async function findTicket(table: Table, orgId: string, ticketId: number): Promise<Found | undefined> {
  const orderId = orderIdOfTicket(ticketId);
  const ref = orderId === undefined ? undefined : await findOrderRef(table, orgId, String(orderId));
  if (ref === undefined) return undefined;
  const placed = await readOrderAt(table, orgId, ref);
  const ticket = discountedTickets(placed).find((one) => one.ticketId === ticketId);
  if (ticket === undefined) return undefined;
  const { event, prices } = await readTicketRules(table, orgId, ref.eventId, [ticket.priceIndex]);
  const [price] = prices;
  return event && price && { ref, order: placed.order, ticket, event, price };
}

/** A ticket as a fan sees it now. */
export function shownTicket(ticket: TicketRecord, { event, price }: TicketContext, nowUnix: number): ShownTicket {
  const [shown = ticket] = withFanBarcodes([ticket], barcodeTimes([price], event), nowUnix);
  return shown;
}

export interface FoundTicket extends Found {
  /** The customer who asks; undefined if the organisation does. */
  readonly fanId: number | undefined;
  /** The ticket as a fan sees it. */
  readonly forFan: (ticket: TicketRecord) => ShownTicket;
  /** The ticket as the caller sees it. */
  readonly shown: (ticket: TicketRecord) => ShownTicket;
}

/** Finds the ticket of a path. A malformed id, a missing ticket and one that the fan does not hold are the same 404. */
export async function requireTicket(request: Request, text: string, what = 'ticket'): Promise<FoundTicket> {
  const { table, caller, clock, ssoToken } = request;
  const isFan = caller.kind === 'storefront' || ssoToken !== undefined;
  const [fan, found] = await Promise.all([
    isFan ? authenticateFan(request) : undefined,
    findTicket(table, caller.orgId, parseId(text) ?? 0),
  ]);
  if (found === undefined || (fan !== undefined && !isHeldBy(found.ticket, found.order, fan.userId))) {
    throw notFound(what);
  }
  const forFan = (ticket: TicketRecord) => shownTicket(ticket, found, unixSeconds(clock));
  return { ...found, fanId: fan?.userId, forFan, shown: fan === undefined ? (ticket: TicketRecord) => ticket : forFan };
}

/** The ticket may have been given to somebody else since it was found. */
export function checkHeld({ fanId }: Pick<FoundTicket, 'fanId'>, { placed, ticket }: TicketState): void {
  if (fanId !== undefined && !isHeldBy(ticket, placed.order, fanId)) throw notFound('ticket');
}
