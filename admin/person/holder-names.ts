import { changeHolder, type NamedTicket } from '../../shared/data/orders/change-holder.ts';
import { readOrderAt, readOrderRef } from '../../shared/data/orders/read.ts';
import { readTicketRules } from '../../shared/data/prices/ticket-rules.ts';
import type { SideEffects } from '../../shared/data/table/transact.ts';
import type { OrderWithTickets, TicketRecord } from '../../shared/domain/orders/order.ts';
import { shownTicket } from '../../shared/domain/orders/shown-order.ts';
import { ticketUpdated } from '../../shared/mappers/ticket.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Person } from './section.ts';

interface ErasedNames {
  readonly erased: number;
  /** Announces a name that is erased later, because somebody wrote it meanwhile. */
  readonly announce: SideEffects<NamedTicket>;
}

/**
 * Erases the names on tickets of an order, each with a `ticket.updated`: receivers can erase it too, Google's saved pass is replaced, and
 * phones with Apple's fetch it. Whether a ticket is the person's is judged again when it is written.
 */
export async function eraseHolderNames(
  person: Person,
  orderId: number,
  isOwn: (ticket: TicketRecord) => boolean,
): Promise<ErasedNames> {
  const { table, orgId, clock } = person;
  const ref = await readOrderRef(table, orgId, orderId);
  if (ref === undefined) return { erased: 0, announce: () => [] };
  const placed = await readOrderAt(table, orgId, ref);
  const announce = await announcer(person, placed);
  const named = placed.tickets.filter((ticket) => ticket.ticketName !== null && isOwn(ticket));
  const nameOf = (ticket: TicketRecord) => (isOwn(ticket) ? null : ticket.ticketName);
  for (const { ticketId } of named)
    await changeHolder(table, orgId, { ref, ticketId, atUnix: unixSeconds(clock), nameOf }, announce);
  return { erased: named.length, announce };
}

/** A ticket of an event that is not stored has no pass, and no announcement. */
async function announcer(person: Person, { order, tickets }: OrderWithTickets): Promise<SideEffects<NamedTicket>> {
  const { table, orgId, clock, requestId } = person;
  if (order.eventId === null || tickets.length === 0) return () => [];
  const indexes = tickets.map(({ priceIndex }) => priceIndex);
  const { event, prices } = await readTicketRules(table, orgId, order.eventId, indexes);
  return ({ before, after }) => {
    const price = prices.find(({ index }) => index === after.priceIndex);
    if (event === undefined || price === undefined) return [];
    const context = { order, event, price };
    const { type, data } = ticketUpdated(before, shownTicket(after, context, unixSeconds(clock)), context);
    // The former name is what is erased.
    const announced = { type, data: { ...data, previous: { ticket_name: null } } };
    return outboxItems(table, orgId, announced, { nowMs: clock.nowMs(), requestId });
  };
}
