import { orderIdOfTicket, type TicketRecord } from '../../domain/orders/order.ts';
import type { TicketContext } from '../../domain/orders/shown-order.ts';
import { readTicketRules } from '../prices/ticket-rules.ts';
import type { Table } from '../table/table.ts';
import { findOrderRef, readOrderAt } from './read.ts';
import type { OrderRef } from './row.ts';

export interface TicketOfOrder extends TicketContext {
  readonly ref: OrderRef;
  readonly ticket: TicketRecord;
}

/** Finds a ticket with its order, its event and its price. Tickets have the numbers after the id of their order. */
export async function findTicket(table: Table, orgId: string, ticketId: number): Promise<TicketOfOrder | undefined> {
  const orderId = orderIdOfTicket(ticketId);
  const ref = orderId === undefined ? undefined : await findOrderRef(table, orgId, String(orderId));
  if (ref === undefined) return undefined;
  const placed = await readOrderAt(table, orgId, ref);
  const ticket = placed.tickets.find((one) => one.ticketId === ticketId);
  if (ticket === undefined) return undefined;
  const { event, prices } = await readTicketRules(table, orgId, ref.eventId, [ticket.priceIndex]);
  const [price] = prices;
  return event && price && { ref, order: placed.order, ticket, event, price };
}
