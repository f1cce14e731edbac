import * as v from 'valibot';
import { transfersAccess } from '../../data/transfers/access.ts';
import { defineOperation } from '../operation.ts';
import { field, IsoTimestamp, resource, UnixSeconds } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { ticketAccess } from './ticket-path.ts';
import { transferPath } from './transfer-path.ts';

const seatText = (what: string) => field(v.nullable(v.string()), `${what}; null if there is none.`);

export const TransferPreview = resource(
  'TransferPreview',
  'A ticket that is offered, as the person sees it who may accept it.',
  {
    transfer_id: field(v.string(), 'Unique identifier of the transfer.'),
    giver_first_name: field(v.nullable(v.string()), 'Given name of the person who offers the ticket; null if unknown.'),
    event_id: field(v.string(), 'The event that the ticket is for.'),
    event_title: field(v.string(), 'Title of the event.'),
    event_start: field(IsoTimestamp, 'Start of the event, ISO 8601.'),
    venue_name: field(v.nullable(v.string()), 'Name of the venue; null if there is none.'),
    price_title: field(v.string(), 'Title of the price.'),
    price_category_title: field(v.string(), 'Title of the price category, such as a stand.'),
    section_label: seatText('Section of the seat'),
    seat_row: seatText('Row of the seat'),
    seat_title: seatText('Number or name of the seat'),
    expires_at: field(UnixSeconds, 'Until when it can be accepted, in Unix seconds.'),
  },
);
export type TransferPreview = v.InferOutput<typeof TransferPreview>;

export const previewTransfer = defineOperation({
  id: 'preview-transfer',
  resource: 'tickets',
  summary: 'Show a ticket that is offered',
  description: `Shows what the person with the \`accept_token\` is offered, before they accept it: event, date, place, and the first name of who gives it. It changes
nothing, and shows neither the barcode nor an address.

It refuses what accept-transfer refuses. A wrong token looks like a missing transfer.`,
  method: 'POST',
  paths: ['/v1/transfers/{transfer_id}/preview'],
  auth: { kind: 'metered', scope: 'orders:write', storefront: { sees: 'the transfer whose accept_token it sends' } },
  input: {
    params: transferPath,
    // In the body, because addresses are logged on the way.
    body: v.strictObject({ accept_token: field(text(200), 'The accept_token of the offer.') }),
  },
  output: {
    schema: TransferPreview,
    problems: ['ticket_not_active', 'ticket_scanned', 'transfer_not_allowed', 'transfer_closed', 'transfer_not_open'],
    links: [{ to: 'accept-transfer', params: { transfer_id: '$request.path.transfer_id' } }],
  },
  effects: { access: [...ticketAccess, transfersAccess.readTicketState], cannotBeUndone: false },
});
