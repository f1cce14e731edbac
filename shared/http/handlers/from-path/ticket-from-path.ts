import { findTicket, type TicketOfOrder } from '../../../data/orders/find-ticket.ts';
import { parseId } from '../../../domain/ids.ts';
import { isHeldBy } from '../../../domain/orders/held-tickets.ts';
import type { OrderRecord, TicketRecord } from '../../../domain/orders/order.ts';
import { type ShownTicket, shownTicket } from '../../../domain/orders/shown-order.ts';
import { unixSeconds } from '../../../platform/clock.ts';
import type { Deps } from '../../pipeline.ts';
import { notFound } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';
import { authenticateFan } from '../callers/authenticate-fan.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

export interface FoundTicket extends TicketOfOrder {
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
export function checkHeld(
  { fanId }: Pick<FoundTicket, 'fanId'>,
  ticket: TicketRecord,
  order: Pick<OrderRecord, 'userId'>,
): void {
  if (fanId !== undefined && !isHeldBy(ticket, order, fanId)) throw notFound('ticket');
}
