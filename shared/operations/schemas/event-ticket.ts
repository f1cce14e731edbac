import * as v from 'valibot';
import { field, Id, resource, seatText, UnixSeconds } from './fields.ts';
import { TicketStatusId } from './order-ticket.ts';

const onlyWithAddresses = 'Null unless the request has `addresses=true`.';

export const EventTicket = resource(
  'EventTicket',
  'What a gate needs to know of a ticket, or of a member with access on game days, to admit people without a connection.',
  {
    ticket_id: field(v.nullable(Id), 'Unique identifier of the ticket; null for a member.'),
    membership_member_id: field(v.nullable(Id), 'Unique identifier of the member; null for a ticket.'),
    barcode: field(v.nullable(v.string()), 'The barcode; null if the request was made with a gate token.'),
    barcode_sha256: field(
      v.string(),
      'SHA-256 of the barcode in lower-case hex. Remove white space and control characters around the scanned barcode, convert its letters to upper case, and hash its UTF-8 bytes.',
    ),
    ticket_status_id: field(
      TicketStatusId,
      'Only 1 admits, and only until `expires`: 0 pending, 1 active, 2 cancelled, 3 refunded. A member who is not admitted has 0 if unpaid, otherwise 2; one whose membership has ended keeps 1.',
    ),
    transferred: field(
      v.boolean(),
      'Whether this is a barcode that the ticket had before it was given to somebody else, or a card of the member that was replaced. It admits nobody, and the ticket or member has a row with its new barcode too.',
    ),
    price_category_id: field(v.nullable(Id), 'The price category of the ticket, such as a stand; null for a member.'),
    ticket_name: field(
      v.nullable(v.string()),
      'Name of the holder; null if there is none, or if the request was made with a gate token.',
    ),
    section_label: seatText('Section of the seat'),
    seat_row: seatText('Row of the seat'),
    seat_title: seatText('Number or name of the seat'),
    expires: field(
      v.nullable(UnixSeconds),
      'When the membership ends, in Unix seconds; null if never, and for a ticket. Gates compare it with their clock.',
    ),
    updated_at: field(UnixSeconds, 'When the status or the holder last changed, in Unix seconds.'),
    to_notify: field(
      v.boolean(),
      'Whether the person must hear that the event is moved or cancelled: the ticket or the member admits, is about to be paid, or did so until the event was cancelled.',
    ),
    order_id: field(v.nullable(Id), `Order of the ticket; null for a member. ${onlyWithAddresses}`),
    buyer_email: field(
      v.nullable(v.string()),
      `Email address in the order; null for a member, and if it is unknown. ${onlyWithAddresses}`,
    ),
    holder_user_id: field(
      v.nullable(Id),
      `The user_id of the customer who has the ticket or the membership; null if it is unknown. ${onlyWithAddresses}`,
    ),
    holder_email: field(
      v.nullable(v.string()),
      `Email address of who has the ticket now: of the person to whom it was given, otherwise of the buyer; of a member, of the member. Null if it is unknown, and of a barcode or card that is not valid any more. ${onlyWithAddresses}`,
    ),
  },
);
export type EventTicket = v.InferOutput<typeof EventTicket>;
