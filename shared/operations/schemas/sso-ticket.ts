import * as v from 'valibot';
import { field, Id, Money, resource, seatText, UnixSeconds } from './fields.ts';
import { TicketStatusId } from './order-ticket.ts';

export const SsoTicket = resource('SsoTicket', 'An active ticket of the signed-in fan.', {
  ticket_id: field(Id, 'Unique identifier of the ticket.'),
  ticket_status_id: field(
    TicketStatusId,
    'Status of the ticket: 0 pending, 1 active, 2 cancelled, 3 refunded. A scan does not change it.',
  ),
  barcode: field(v.nullable(v.string()), 'The barcode that gates read; null before `barcode_from_unix`.'),
  barcode_from_unix: field(
    v.nullable(UnixSeconds),
    'From when on the fan sees the barcode, in Unix seconds; null if that was at once.',
  ),
  price: field(Money, "Price of the ticket without fees, in major units of the event's currency."),
  fees: field(Money, "Service fee plus service tax, in major units of the event's currency."),
  discount: field(Money, "What the ticket cost less than price plus fees, in major units of the event's currency."),
  tax: field(
    Money,
    "The tax that price − discount contains, at the rate of the sale, in major units of the event's currency; 0 if the rate is unknown.",
  ),
  price_title: field(v.string(), 'Title of the price (ticket type).'),
  price_category_title: field(v.string(), 'Title of the price category, such as a stand.'),
  ticket_name: field(v.nullable(v.string()), 'Name of the holder; null if there is none.'),
  section_label: seatText('Section of the seat'),
  sub_section_title: seatText('Subsection of the seat'),
  seat_aisle: seatText('Aisle of the seat'),
  seat_row: seatText('Row of the seat'),
  seat_title: seatText('Number or name of the seat'),
});
export type SsoTicket = v.InferOutput<typeof SsoTicket>;
