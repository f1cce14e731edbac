import { readCustomer } from '../data/customers/read.ts';
import { readEvent } from '../data/events/read.ts';
import { type ChangeOutcome, changeTickets } from '../data/orders/change-tickets.ts';
import { readOrder } from '../data/orders/read.ts';
import { returnStock } from '../data/prices/stock.ts';
import type { Table } from '../data/table/table.ts';
import type { TransactItem } from '../data/table/transact.ts';
import { countTicketsByPrice } from '../domain/orders/counts.ts';
import { type ChangedOrder, isSold, type TicketsChange } from '../domain/orders/order.ts';
import { orderEnded } from '../mappers/order-events.ts';
import { outboxItems } from '../outbox/outbox.ts';
import { type Clock, unixSeconds } from '../platform/clock.ts';

export interface OrderDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly clock: Clock;
  readonly requestId: string | undefined;
}

/**
 * Cancels or refunds tickets. One transaction changes the tickets, the order, the counters and the stock, announces the event,
 * and writes the items of the caller.
 */
export async function cancelOrRefundTickets(
  deps: OrderDeps,
  orderId: number,
  wanted: Omit<TicketsChange, 'atUnix'>,
  callerItems: () => readonly TransactItem[] = () => [],
): Promise<ChangeOutcome> {
  const { table, orgId, clock, requestId } = deps;
  const order = await readOrder(table, orgId, orderId);
  const [fan, event] = await Promise.all([
    order?.userId ? readCustomer(table, orgId, order.userId, { consistent: true }) : undefined,
    order && readEvent(table, orgId, order.eventId),
  ]);
  const type = `order.${wanted.to}` as const;
  return changeTickets(
    table,
    { orgId, orderId },
    { ...wanted, atUnix: unixSeconds(clock) },
    {
      callerItems: (change) => [...callerItems(), ...returnedStock(deps, change)],
      sideEffects: ({ after, changed }) =>
        outboxItems(table, orgId, orderEnded(type, orgId, { order: after.order, tickets: changed }, { event, fan }), {
          nowMs: clock.nowMs(),
          requestId,
        }),
    },
  );
}

/** A cancelled ticket was returned when it was cancelled, and may be sold again by now. */
function returnedStock({ table, orgId }: OrderDeps, { before, after, changed }: ChangedOrder): TransactItem[] {
  const { eventId } = after.order;
  const soldIds = new Set(before.tickets.filter(isSold).map(({ ticketId }) => ticketId));
  const returned = countTicketsByPrice(changed.filter(({ ticketId }) => soldIds.has(ticketId)));
  return [...returned].map(([index, tickets]) => returnStock(table, orgId, { eventId, index }, tickets));
}
