import { changeHolder } from '../../data/orders/change-holder.ts';
import type { TicketOfOrder } from '../../data/orders/find-ticket.ts';
import { type NameRefusal, nameRefusal } from '../../domain/orders/holder-name.ts';
import type { OrderRecord, TicketRecord } from '../../domain/orders/order.ts';
import { shownTicket } from '../../domain/orders/shown-order.ts';
import { ticketUpdated } from '../../mappers/ticket.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { TicketDeps } from './deps.ts';

interface NewName {
  readonly name: string;
  /** The customer who asks; undefined if the organisation does. */
  readonly fanId: number | undefined;
}

/** Writes another name on a ticket, if it may change for whoever asks. */
export async function renameHolder(
  { table, orgId, clock, requestId }: TicketDeps,
  found: TicketOfOrder,
  { name, fanId }: NewName,
): Promise<{ readonly ticket: TicketRecord } | { readonly refusal: NameRefusal }> {
  const { ref } = found;
  const { ticketId } = found.ticket;
  const atUnix = unixSeconds(clock);
  const nameOf = (ticket: TicketRecord, order: OrderRecord, wasScanned: boolean) => {
    const refusal = nameRefusal({ ticket, order, wasScanned }, found, fanId, atUnix);
    return refusal === undefined ? name : { refusal };
  };
  const changed = await changeHolder(table, orgId, { ref, ticketId, atUnix, nameOf }, ({ before, after }) => {
    const announced = ticketUpdated(before, shownTicket(after, found, atUnix), found);
    return outboxItems(table, orgId, announced, { nowMs: clock.nowMs(), requestId });
  });
  if ('refusal' in changed) return changed;
  return changed.ticket === undefined ? { refusal: { reason: 'not_held' } } : { ticket: changed.ticket };
}
