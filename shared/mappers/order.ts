import type { EventRecord } from '../domain/events/event.ts';
import { majorUnits } from '../domain/money.ts';
import { noEventId, type OrderRecord, orderUpdatedUnix } from '../domain/orders/order.ts';
import { orderPayments } from '../domain/orders/payments.ts';
import type { ShownOrder, ShownTicket } from '../domain/orders/shown-order.ts';
import { invoiceOutstandingMinor, receivedPayments, type Tender } from '../domain/orders/tender.ts';
import { ticketFeesMinor, ticketPriceMinor } from '../domain/orders/ticket-money.ts';
import type { PlanRecord } from '../domain/plans/plan.ts';
import type { LinkedOrder } from '../operations/schemas/linked-order.ts';
import type { Order } from '../operations/schemas/order.ts';
import type { OrderTicket } from '../operations/schemas/order-ticket.ts';
import type { OrderWithTickets } from '../operations/schemas/order-with-tickets.ts';
import type { OverdueOrder } from '../operations/schemas/overdue-order.ts';
import { invoiceAddress } from './invoice-address.ts';
import { labelFields } from './labels.ts';
import { orderMembership } from './order-membership.ts';
import { orderPayment } from './order-payment.ts';

/** What a checkout, retrieve-order and the lists of orders show alike. */
export function commonOrderFields(record: OrderRecord) {
  return {
    order_status: record.status,
    order_date: record.placedUnix,
    updated_at: orderUpdatedUnix(record),
    currency: record.currency,
    total: majorUnits(record.totalMinor, record.currency),
    refunded: majorUnits(record.refundedMinor, record.currency),
  };
}

export function orderResource(record: OrderRecord): Order {
  return {
    order_id: record.orderId,
    order_uuid: record.orderUuid,
    ...commonOrderFields(record),
    customer: {
      user_id: record.userId,
      email: record.emailAddress,
      first_name: record.firstName,
      last_name: record.lastName,
    },
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
    ...labelFields(record),
  };
}

/** An invoice that is due and not paid. */
export function overdueOrder(record: OrderRecord): OverdueOrder {
  return {
    ...orderResource(record),
    event_id: shownEventId(record),
    outstanding: majorUnits(invoiceOutstandingMinor(record), record.currency),
    due_unix: record.tender?.dueUnix ?? record.placedUnix,
    payments: receivedPayments(record).map((payment) => orderPayment(record, payment)),
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
    code: order.code ?? null,
    tickets: placed.tickets.map((ticket) => orderTicket(ticket, order.currency)),
    memberships: memberships.map((membership) => orderMembership(membership, order.currency)),
  };
}

interface LinkedOrderContext {
  readonly event: Pick<EventRecord, 'title'> | undefined;
  readonly link: string | null;
  /** The plans of its memberships, maybe among others, by id. */
  readonly plans: ReadonlyMap<number, PlanRecord>;
}

/** The order as an API key retrieves it. */
export function linkedOrder(placed: ShownOrder, { event, link, plans }: LinkedOrderContext): LinkedOrder {
  const { currency } = placed.order;
  const planIds = new Set(placed.memberships.map(({ planId }) => planId ?? 0));
  const own = [...planIds].flatMap((planId) => plans.get(planId) ?? []);
  const { paidMinor, outstandingMinor } = orderPayments(placed.order, own);
  return {
    ...orderWithTickets(placed, event),
    paid: majorUnits(paidMinor, currency),
    outstanding: majorUnits(outstandingMinor, currency),
    due_unix: placed.order.tender?.dueUnix ?? null,
    payments: receivedPayments(placed.order).map((payment) => orderPayment(placed.order, payment)),
    tender: placed.order.tender ? orderTender(placed.order.tender) : null,
    kept: majorUnits(placed.order.keptMinor ?? 0, currency),
    invoice_address: placed.order.invoiceAddress ? invoiceAddress(placed.order.invoiceAddress) : null,
    link,
  };
}

function orderTender({ kind, station, operator, reference, reason }: Tender): LinkedOrder['tender'] {
  return { kind, station, operator, reference, reason: reason ?? null };
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
