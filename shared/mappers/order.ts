import type { EventRecord } from '../domain/events/event.ts';
import { majorUnits } from '../domain/money.ts';
import { noEventId, type OrderRecord, orderUpdatedUnix } from '../domain/orders/order.ts';
import type { ShownOrder, ShownTicket } from '../domain/orders/shown-order.ts';
import { ticketFeesMinor, ticketPriceMinor } from '../domain/orders/ticket-money.ts';
import type { Order } from '../operations/schemas/order.ts';
import type { OrderTicket } from '../operations/schemas/order-ticket.ts';
import type { OrderWithTickets } from '../operations/schemas/order-with-tickets.ts';
import { orderMembership } from './order-membership.ts';

export function orderResource(record: OrderRecord): Order {
  return {
    order_id: record.orderId,
    order_uuid: record.orderUuid,
    order_status: record.status,
    order_date: record.placedUnix,
    updated_at: orderUpdatedUnix(record),
    user_id: record.userId,
    first_name: record.firstName,
    last_name: record.lastName,
    email_address: record.emailAddress,
    postcode: record.postcode,
    country_id: record.countryId,
    marketing_opt_in: record.marketingOptIn,
    transaction_fee: majorUnits(record.transactionFeeMinor, record.currency),
    discount_amount: majorUnits(record.discountMinor, record.currency),
    payment_method: record.paymentMethod,
  };
}

/** The event of an order as the API shows it. */
export function shownEventId({ eventId }: Pick<OrderRecord, 'eventId'>): string | null {
  return eventId === noEventId ? null : String(eventId);
}

export function orderWithTickets(placed: ShownOrder, event: Pick<EventRecord, 'title'> | undefined): OrderWithTickets {
  const { order, memberships } = placed;
  return {
    ...orderResource(order),
    event_id: shownEventId(order),
    event_title: event?.title ?? null,
    currency: order.currency,
    total: majorUnits(order.totalMinor, order.currency),
    refunded: majorUnits(order.refundedMinor, order.currency),
    code: order.code ?? null,
    tickets: placed.tickets.map((ticket) => orderTicket(ticket, order.currency)),
    memberships: memberships.map((membership) => orderMembership(membership, order.currency)),
  };
}

export function orderTicket(record: ShownTicket, currency: string): OrderTicket {
  return {
    ...ticketFields(record, currency),
    price_id: record.priceId,
    price_category_id: record.categoryId,
    price_category_title: record.categoryTitle,
  };
}

/** What an order, a fan and the export of a person show of a ticket alike. */
export function ticketFields(record: ShownTicket, currency: string) {
  return {
    ticket_id: record.ticketId,
    ticket_status_id: record.status,
    barcode: record.barcode,
    price_title: record.priceTitle,
    ticket_name: record.ticketName,
    price: majorUnits(ticketPriceMinor(record), currency),
    fees: majorUnits(ticketFeesMinor(record), currency),
    discount: majorUnits(record.discountMinor, currency),
    tax: majorUnits(record.taxMinor, currency),
    section_label: record.sectionLabel,
    sub_section_title: record.subSectionTitle,
    seat_aisle: record.seatAisle,
    seat_row: record.seatRow,
    seat_title: record.seatTitle,
  };
}
