import { changeHolder } from '../../../shared/data/orders/change-holder.ts';
import { isSold, type OrderRecord, type TicketRecord } from '../../../shared/domain/orders/order.ts';
import { namesUntilUnix } from '../../../shared/domain/prices/ticket-rules.ts';
import { readLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import {
  checkHeld,
  type FoundTicket,
  requireTicket,
} from '../../../shared/http/handlers/from-path/ticket-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { ticketResource, ticketUpdated } from '../../../shared/mappers/ticket.ts';
import { updateTicket } from '../../../shared/operations/tickets/update-ticket.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof updateTicket> = async ({ params, body }, deps) => {
  const { table, caller, clock, requestId } = deps;
  const { orgId } = caller;
  const [found, linkOf] = await Promise.all([requireTicket(deps, params.ticket_id), readLinks(deps)]);
  const { ref, ticket } = found;
  const { first_name, last_name } = body.holder;
  const name = `${first_name.trim()} ${last_name.trim()}`;
  const nowUnix = unixSeconds(clock);
  const { ticketId } = ticket;
  const nameOf = (current: TicketRecord, order: OrderRecord, wasScanned: boolean): string => {
    checkHeld(found, current, order);
    checkName(current, found);
    if (found.fanId !== undefined) checkTime(found, nowUnix);
    else if (wasScanned) throw problem('ticket_scanned', 'This ticket was scanned at a gate, so its name stays.');
    return name;
  };
  const changed = await changeHolder(table, orgId, { ref, ticketId, atUnix: nowUnix, nameOf }, ({ before, after }) =>
    outboxItems(table, orgId, ticketUpdated(before, found.forFan(after), found), { nowMs: clock.nowMs(), requestId }),
  );
  if (changed.ticket === undefined) throw notFound('ticket');
  return ticketResource(found.shown(changed.ticket), found, linkOf(changed.ticket, found.event));
};

function checkName(ticket: TicketRecord, { price }: FoundTicket): void {
  if (price.holderNames === 'none') {
    throw problem('parameter_invalid', 'Tickets of this price have no names.', { param: 'holder' });
  }
  if (!isSold(ticket)) throw problem('ticket_not_active', 'This ticket is cancelled or refunded. Its name stays.');
}

/** The time binds fans. The organisation corrects a name as long as nobody has entered with it. */
function checkTime({ price, event }: FoundTicket, nowUnix: number): void {
  if (nowUnix >= namesUntilUnix(price, event)) {
    const hours = price.namesUntilHours ?? 0;
    const until = hours === 0 ? 'the start of the event' : `${hours} hours before the start of the event`;
    throw problem('names_closed', `The name on this ticket could change until ${until}. Ask the organisation.`);
  }
}

export const handler = pipeline(updateTicket, handle);
