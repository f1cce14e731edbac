import * as v from 'valibot';
import { majorUnits } from '../../../shared/domain/money.ts';
import { maxReferenceLength } from '../../../shared/domain/orders/labels.ts';
import type { OrderWithTickets } from '../../../shared/domain/orders/order.ts';
import { invoiceOutstandingMinor } from '../../../shared/domain/orders/tender.ts';
import { ticketFeesMinor, ticketPriceMinor } from '../../../shared/domain/orders/ticket-money.ts';
import * as column from '../columns.ts';
import { metadataPairs } from '../metadata-columns.ts';

const amount = v.nullish(column.price, null);
const text = v.nullish(column.text(200), null);

/** A ticket of an order. Amounts that are null are those of its price. */
export const TicketRow = v.strictObject({
  barcode: column.name(100),
  price_code: column.code,
  ticket_name: text,
  price: amount,
  rebate: amount,
  service_fee: amount,
  service_tax: amount,
  /** Null means the ticket's part of what the other tickets leave of discount_amount. */
  discount: amount,
  /** The tax that the price contains; null if it is unknown. */
  tax: amount,
  /** Null means the status of the order. */
  ticket_status_id: v.nullish(
    v.picklist([0, 1, 2, 3], 'must be 0 (pending), 1 (active), 2 (cancelled) or 3 (refunded)'),
    null,
  ),
  section_label: text,
  sub_section_title: text,
  seat_aisle: text,
  seat_row: text,
  seat_title: text,
});
export type TicketRow = v.InferOutput<typeof TicketRow>;

/** A membership of an order. It is exported only: an import makes members from the file of members. */
const MembershipRow = v.strictObject({
  member_number: text,
  membership_type_code: text,
  first_name: text,
  last_name: text,
  price: amount,
  fees: amount,
  discount: amount,
  tax: amount,
  currency: text,
  membership_status_id: v.nullish(v.number(), null),
  expires: v.nullish(v.number(), null),
});

const ticketsMessage = 'must be a list of tickets, in CSV as JSON';

export const OrderRow = v.strictObject({
  /** A UUID, or the organisation's own number or name of the order, from which the UUID is derived. */
  order_ref: column.name(100),
  /** Null for an order of memberships only. */
  event_code: v.nullable(column.code),
  order_status: v.picklist(
    ['pending', 'confirmed', 'cancelled', 'refunded'],
    'must be pending, confirmed, cancelled or refunded',
  ),
  order_date: column.createdUnix,
  org_customer_id: v.nullable(column.name(100)),
  first_name: column.textOrNull(200),
  last_name: column.textOrNull(200),
  email_address: column.emailOrNull,
  postcode: column.textOrNull(50),
  country_id: v.nullable(column.integer(1, 999)),
  marketing_opt_in: column.boolean,
  transaction_fee: column.price,
  discount_amount: column.price,
  payment_method: column.textOrNull(100),
  /** Of a sale at the counter. They are exported only: the money of an imported order was taken elsewhere. */
  tender_reference: column.textOrNull(40),
  tender_station: column.textOrNull(40),
  tender_operator: column.textOrNull(40),
  tender_reason: column.textOrNull(200),
  invoice_due: column.unixOrNull,
  invoice_outstanding: column.price,
  tickets: v.array(TicketRow, ticketsMessage),
  memberships: v.array(MembershipRow, 'must be a list of memberships, in CSV as JSON'),
  /** What another system calls the purchase. `order_ref` is what identifies it in the file. */
  external_reference: column.textOrNull(maxReferenceLength),
  metadata: metadataPairs,
});
export type OrderRow = v.InferOutput<typeof OrderRow>;

export const orderDefaults = {
  order_status: 'confirmed',
  org_customer_id: null,
  first_name: null,
  last_name: null,
  email_address: null,
  postcode: null,
  country_id: null,
  marketing_opt_in: false,
  transaction_fee: 0,
  discount_amount: 0,
  payment_method: null,
  tender_reference: null,
  tender_station: null,
  tender_operator: null,
  tender_reason: null,
  invoice_due: null,
  invoice_outstanding: 0,
  memberships: [],
  external_reference: null,
} as const satisfies Partial<OrderRow>;

interface References {
  readonly event_code: string | null;
  readonly org_customer_id: string | null;
  readonly priceCodes: ReadonlyMap<number, string>;
  readonly typeCodes: ReadonlyMap<number, string>;
}

export function orderRow({ order, tickets, memberships }: OrderWithTickets, references: References): OrderRow {
  const { event_code, org_customer_id, priceCodes, typeCodes } = references;
  const money = (minor: number): number => majorUnits(minor, order.currency);
  return {
    order_ref: order.orderUuid,
    event_code,
    order_status: order.status,
    order_date: order.placedUnix,
    org_customer_id,
    first_name: order.firstName,
    last_name: order.lastName,
    email_address: order.emailAddress,
    postcode: order.postcode,
    country_id: order.countryId,
    marketing_opt_in: order.marketingOptIn,
    transaction_fee: money(order.transactionFeeMinor),
    discount_amount: money(order.discountMinor),
    payment_method: order.paymentMethod,
    tender_reference: order.tender?.reference ?? null,
    tender_station: order.tender?.station ?? null,
    tender_operator: order.tender?.operator ?? null,
    tender_reason: order.tender?.reason ?? null,
    invoice_due: order.tender?.dueUnix ?? null,
    invoice_outstanding: money(invoiceOutstandingMinor(order)),
    tickets: tickets.map((ticket) => ({
      barcode: ticket.barcode,
      price_code: priceCodes.get(ticket.priceIndex) ?? '',
      ticket_name: ticket.ticketName,
      price: money(ticket.faceMinor),
      rebate: money(ticket.rebateMinor),
      service_fee: money(ticket.serviceFeeMinor),
      service_tax: money(ticket.serviceTaxMinor),
      discount: money(ticket.discountMinor),
      tax: money(ticket.taxMinor),
      ticket_status_id: ticket.status,
      section_label: ticket.sectionLabel,
      sub_section_title: ticket.subSectionTitle,
      seat_aisle: ticket.seatAisle,
      seat_row: ticket.seatRow,
      seat_title: ticket.seatTitle,
    })),
    memberships: memberships.map((membership) => ({
      member_number: membership.memberNumber,
      membership_type_code: typeCodes.get(membership.typeId) ?? null,
      first_name: membership.firstName,
      last_name: membership.lastName,
      price: money(ticketPriceMinor(membership)),
      fees: money(ticketFeesMinor(membership)),
      discount: money(membership.discountMinor),
      tax: money(membership.taxMinor),
      currency: order.currency,
      membership_status_id: membership.status,
      expires: membership.expiresUnix,
    })),
    external_reference: order.externalReference ?? null,
    metadata: order.metadata,
  };
}
