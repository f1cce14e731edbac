import * as v from 'valibot';
import { Count, field, Id, IsoDate, IsoTime, resource, UnixSeconds } from './fields.ts';
import { PriceCategoryStatus } from './price.ts';

export const ScanResult = v.picklist([
  'ok',
  'already_scanned',
  'invalid',
  'cancelled',
  'refunded',
  'unpaid',
  'wrong_event',
  'wrong_gate',
]);

const ofTicket = 'null when the barcode is not that of a ticket';

/** A gate reads whatever is held before it, so all that only a known barcode can tell may be null. */
export const Scan = resource('Scan', 'One reading of a barcode at a gate, admitted or not.', {
  gate_id: field(v.nullable(Id), 'The gate that read the barcode; null when it did not say which it is.'),
  scan_date: field(IsoDate, "Day of the reading in the event's timezone, YYYY-MM-DD."),
  scan_time: field(IsoTime, "Time of the reading in the event's timezone, HH:MM:SS."),
  gate: field(v.nullable(v.string()), 'Name of the gate; null when the gate has none.'),
  result: field(ScanResult, 'ok admits the holder; every other value says why not.'),
  ticket_name: field(
    v.nullable(v.string()),
    'Name of the holder on the ticket or membership; null when there is none.',
  ),
  order_id: field(v.nullable(Id), `Order that the ticket belongs to; ${ofTicket}.`),
  ticket_id: field(v.nullable(Id), `The ticket that was read; ${ofTicket}.`),
  barcode: field(v.string(), 'What the gate read, known to the organisation or not.'),
  price_category_id: field(v.nullable(Id), `Price category of the ticket; ${ofTicket}.`),
  price_category_status: field(v.nullable(PriceCategoryStatus), `Whether that category is on sale; ${ofTicket}.`),
  membership_category_id: field(
    v.nullable(Id),
    'Membership category of the member; null when the barcode is not that of a member with a category.',
  ),
  category_title: field(
    v.nullable(v.string()),
    'Title of the price category, or of the membership category for a member; null when there is neither.',
  ),
  price_title: field(v.nullable(v.string()), `Title of the price that was bought; ${ofTicket}.`),
  email_address: field(v.nullable(v.string()), 'Of the buyer or the member; null when unknown.'),
  unix_local_timestamp: field(
    UnixSeconds,
    "Second of the reading on the event's own clock: Unix seconds plus the timezone's offset at that instant.",
  ),
  tickets_sold: v.optional(
    field(
      v.nullable(Count),
      'Present only when include_sales is true: tickets sold in the price category; null when the scan has no category.',
    ),
  ),
});
export type Scan = v.InferOutput<typeof Scan>;
