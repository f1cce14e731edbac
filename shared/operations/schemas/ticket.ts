import * as v from 'valibot';
import { field, Id, IsoTimestamp, resource, UnixSeconds } from './fields.ts';
import { OrderTicket } from './order-ticket.ts';

export const Ticket = resource('Ticket', 'A sold ticket with its event, and what its holder may do with it.', {
  ...OrderTicket.entries,
  order_id: field(Id, 'The order of the ticket.'),
  event_id: field(v.string(), 'The event of the ticket.'),
  event_title: field(v.string(), 'Title of the event.'),
  event_start: field(IsoTimestamp, 'Start of the event, ISO 8601 in UTC.'),
  barcode_from_unix: field(
    v.nullable(UnixSeconds),
    'From when on the fan sees the barcode, in Unix seconds; null if that was at once.',
  ),
  names_until_unix: field(
    v.nullable(UnixSeconds),
    'Until when the name can change, in Unix seconds; null if tickets of the price have no names.',
  ),
  transfer_until_unix: field(
    v.nullable(UnixSeconds),
    'Until when the ticket can be given to somebody else, in Unix seconds; null if it cannot.',
  ),
  self_cancel_until_unix: field(
    v.nullable(UnixSeconds),
    'Until when the buyer can cancel the ticket (cancel-own-ticket), in Unix seconds; null if the buyer cannot.',
  ),
  link: field(
    v.nullable(v.string()),
    'The address of a page with the ticket and its documents, for the mail to the holder. Whoever has it sees the ticket, without a key. It ends a day after the start of the event, and with a refund or a transfer; null if it has ended.',
  ),
  updated_at: field(UnixSeconds, 'When the status, the holder or the barcode last changed, in Unix seconds.'),
});
export type Ticket = v.InferOutput<typeof Ticket>;
