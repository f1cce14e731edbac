import * as v from 'valibot';
import { field, Id, Money, resource, seatText } from './fields.ts';

const TicketStatusId = v.pipe(v.picklist([0, 1, 2, 3]), v.integer());

export const SsoTicket = resource('SsoTicket', 'An active ticket of the signed-in fan.', {
  ticket_id: field(Id, 'Names the ticket.'),
  ticket_status_id: field(
    TicketStatusId,
    '0 pending, 1 active, 2 cancelled, 3 refunded; attendance does not change it.',
  ),
  barcode: field(v.string(), 'What the gate reads.'),
  price: field(Money, "Price of the ticket without fees, in major units of the event's currency."),
  fees: field(Money, "Service fee plus service tax, in major units of the event's currency."),
  price_title: field(v.string(), 'Title of the price that was bought.'),
  ticket_name: field(v.nullable(v.string()), 'Name of the holder; null when the ticket names nobody.'),
  section_label: seatText('Section of the seat'),
  sub_section_title: seatText('Part of that section'),
  seat_aisle: seatText('Aisle of the seat'),
  seat_title: seatText('Number or name of the seat'),
});
export type SsoTicket = v.InferOutput<typeof SsoTicket>;
