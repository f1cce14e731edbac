import { findOrderRef, readOrderAt } from '../../data/orders/read.ts';
import type { OrderRef } from '../../data/orders/row.ts';
import { readTicketRules } from '../../data/prices/ticket-rules.ts';
import { parseId } from '../../domain/ids.ts';
import { discountedTickets, orderIdOfTicket, type TicketRecord } from '../../domain/orders/order.ts';
import type { ShownTicket, TicketContext } from '../../domain/orders/shown-order.ts';
import { barcodeTimes, withFanBarcodes } from '../../domain/prices/ticket-rules.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { Deps } from '../pipeline.ts';
import { notFound } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { authenticateFan } from './authenticate-fan.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

export interface FoundTicket extends TicketContext {
  readonly ref: OrderRef;
  readonly ticket: TicketRecord;
  /** The customer who asks; undefined if the organisation does. */
  readonly fanId: number | undefined;
  /** The ticket as a fan sees it. */
  readonly forFan: (ticket: TicketRecord) => ShownTicket;
  /** The ticket as the caller sees it. */
  readonly shown: (ticket: TicketRecord) => ShownTicket;
}

/**
 * Finds the ticket of a path, with its event and its price. Tickets have the numbers after the id of their order. A malformed id,
 * a missing ticket and one that the fan does not hold are the same 404.
 */
export async function requireTicket(request: Request, text: string): Promise<FoundTicket> {
  const { table, caller, clock, ssoToken } = request;
  const { orgId } = caller;
  const ticketId = parseId(text) ?? 0;
  const orderId = orderIdOfTicket(ticketId);
  const isFan = caller.kind === 'storefront' || ssoToken !== undefined;
  const [fan, ref] = await Promise.all([
    isFan ? authenticateFan(request) : undefined,
    orderId === undefined ? undefined : findOrderRef(table, orgId, String(orderId)),
  ]);
  if (ref === undefined) throw notFound('ticket');
  const placed = await readOrderAt(table, orgId, ref);
  const ticket = discountedTickets(placed).find((one) => one.ticketId === ticketId);
  if (ticket === undefined || (fan !== undefined && placed.order.userId !== fan.userId)) throw notFound('ticket');
  const { event, prices } = await readTicketRules(table, orgId, ref.eventId, [ticket.priceIndex]);
  const [price] = prices;
  if (event === undefined || price === undefined) throw notFound('ticket');
  const times = barcodeTimes(prices, event);
  const forFan = (one: TicketRecord): ShownTicket => {
    const [shown = one] = withFanBarcodes([one], times, unixSeconds(clock));
    return shown;
  };
  const shown = fan === undefined ? (one: TicketRecord) => one : forFan;
  return { ref, order: placed.order, ticket, event, price, fanId: fan?.userId, forFan, shown };
}
