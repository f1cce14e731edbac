import { moveTicketSeat as move } from '../../../shared/data/orders/move-seat.ts';
import { readMapOfEvent } from '../../../shared/data/seats/stock.ts';
import { noSeats } from '../../../shared/domain/seats/seat-map.ts';
import { readLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { requireTicket } from '../../../shared/http/handlers/from-path/ticket-from-path.ts';
import { seatProblem } from '../../../shared/http/handlers/problems/seat-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { ticketResource, ticketUpdated } from '../../../shared/mappers/ticket.ts';
import { moveTicketSeat } from '../../../shared/operations/orders/move-ticket-seat.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof moveTicketSeat> = async ({ params, body }, deps) => {
  const { table, caller, clock, requestId } = deps;
  const { orgId } = caller;
  const [ref, found, linkOf] = await Promise.all([
    requireOrder(table, orgId, params.order_id),
    requireTicket({ ...deps, ssoToken: undefined }, params.ticket_id),
    readLinks(deps),
  ]);
  if (found.order.orderId !== ref.orderId) throw notFound('ticket');
  const map = (await readMapOfEvent(table, orgId, found.event)) ?? noSeats;
  const { ticketId } = found.ticket;
  const atUnix = unixSeconds(clock);
  const moved = await move(table, orgId, { ref, ticketId, map, seat: body.seat, atUnix }, ({ before, after }) =>
    outboxItems(table, orgId, ticketUpdated(before, found.forFan(after), found), { nowMs: clock.nowMs(), requestId }),
  );
  switch (moved.outcome) {
    case 'missing':
      throw notFound('ticket');
    case 'not_active':
      throw problem('ticket_not_active', 'This ticket is cancelled or refunded. It has no seat any more.');
    case 'no_seat':
      throw problem('seat_unknown', 'This ticket has no numbered seat that the service has sold.', { param: 'seat' });
    case 'refused':
      throw seatProblem(moved.refusal, 'seat');
    case 'moved':
      return ticketResource(moved.ticket, found, linkOf(moved.ticket, found.event));
  }
};

export const handler = pipeline(moveTicketSeat, handle);
