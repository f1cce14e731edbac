import { eraseBuyer } from '../../shared/data/admin/erase-buyer.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { majorUnits } from '../../shared/domain/money.ts';
import { type TicketRecord, ticketFeesMinor, ticketPriceMinor } from '../../shared/domain/orders/order.ts';
import { orderResource } from '../../shared/mappers/order.ts';
import type { PersonPart } from './section.ts';
import { theirOrders } from './their-orders.ts';

/** The orders of the customer at all events, whatever their status, with their tickets. */
export const ordersPart: PersonPart = {
  name: 'orders',
  async collect(person) {
    const { table, orgId } = person;
    const sales = await Promise.all(
      (await theirOrders(person)).map(({ orderId }) => readOrderWithTickets(table, orgId, orderId)),
    );
    return sales.flatMap((placed) =>
      placed === undefined
        ? []
        : [
            {
              ...orderResource(placed.order),
              event_id: String(placed.order.eventId),
              total: majorUnits(placed.order.totalMinor),
              currency: placed.order.currency,
              tickets: placed.tickets.map(ticketDocument),
            },
          ],
    );
  },
  async erase(person) {
    let erased = 0;
    for (const { orderId } of await theirOrders(person)) {
      if ((await eraseBuyer(person.table, person.orgId, orderId)) === 'erased') erased += 1;
    }
    return erased;
  },
};

function ticketDocument(ticket: TicketRecord) {
  return {
    ticket_id: ticket.ticketId,
    ticket_status_id: ticket.status,
    barcode: ticket.barcode,
    price_id: ticket.priceId,
    price_title: ticket.priceTitle,
    category_title: ticket.categoryTitle,
    ticket_name: ticket.ticketName,
    price: majorUnits(ticketPriceMinor(ticket)),
    fees: majorUnits(ticketFeesMinor(ticket)),
    section_label: ticket.sectionLabel,
    sub_section_title: ticket.subSectionTitle,
    seat_aisle: ticket.seatAisle,
    seat_title: ticket.seatTitle,
  };
}
