import * as v from 'valibot';
import { field, Id, Money, resource, seatText } from './fields.ts';

export const TicketStatusId = v.pipe(v.picklist([0, 1, 2, 3]), v.integer());

export const OrderTicket = resource('OrderTicket', 'A sold ticket.', {
  ticket_id: field(Id, 'Unique identifier of the ticket.'),
  ticket_status_id: field(
    TicketStatusId,
    'Status of the ticket: 0 pending, 1 active, 2 cancelled, 3 refunded. A scan does not change it.',
  ),
  barcode: field(
    v.nullable(v.string()),
    'The barcode that gates read. Show it only to the holder. Null for a fan, with a storefront token and in order.completed until the `barcode_from_hours` of the price.',
  ),
  price_id: field(Id, 'The price (ticket type) of the ticket.'),
  price_title: field(v.string(), 'Title of the price.'),
  price_category_id: field(Id, 'The price category of the ticket, such as a stand.'),
  price_category_title: field(v.string(), 'Title of the price category.'),
  ticket_name: field(v.nullable(v.string()), 'Name of the holder; null if there is none.'),
  price: field(Money, 'Price of the ticket without fees, in major units of the currency.'),
  fees: field(Money, 'Service fee plus service tax, in major units of the currency.'),
  discount: field(
    Money,
    'What the ticket cost less than price plus fees, in major units of the currency. A refund of the ticket returns price + fees − discount, less what the organisation keeps.',
  ),
  tax: field(
    Money,
    'The tax that price − discount contains, at the rate of the sale, in major units of the currency; 0 if the rate is unknown.',
  ),
  section_label: seatText('Section of the seat'),
  sub_section_title: seatText('Subsection of the seat'),
  seat_aisle: seatText('Aisle of the seat'),
  seat_row: seatText('Row of the seat'),
  seat_title: seatText('Number or name of the seat'),
});
export type OrderTicket = v.InferOutput<typeof OrderTicket>;
