import * as v from 'valibot';
import { scanResults } from '../../domain/scans/scan.ts';
import { Count, field, Id, IsoDate, IsoTime, resource, seatText, UnixSeconds } from './fields.ts';
import { PriceCategoryStatus } from './price.ts';

export const ScanResult = v.picklist(scanResults);
export const ScanDirection = v.picklist(['in', 'out']);

export const resultText =
  'The value ok admits the holder, out is a passage on the way out; any other value is the reason for the refusal.';

const ofTicket = 'null if the barcode is not that of a ticket';

/** A gate may scan an unknown barcode, so every field that depends on the barcode can be null. */
export const Scan = resource('Scan', 'A scan of a barcode at a gate, admitted or refused.', {
  gate_id: field(v.nullable(Id), 'The gate of the scan; null if the gate did not identify itself.'),
  scan_date: field(IsoDate, "Date of the scan in the event's timezone, YYYY-MM-DD."),
  scan_time: field(IsoTime, "Time of the scan in the event's timezone, HH:MM:SS."),
  gate: field(v.nullable(v.string()), 'Name of the gate; null if there is none.'),
  result: field(ScanResult, resultText),
  ticket_name: field(v.nullable(v.string()), 'Name of the holder on the ticket or membership; null if there is none.'),
  order_id: field(v.nullable(Id), `The order of the ticket; ${ofTicket}.`),
  ticket_id: field(v.nullable(Id), `The ticket; ${ofTicket}.`),
  barcode: field(
    v.string(),
    'The barcode of the ticket or member; if the organisation does not know it, what the gate read.',
  ),
  price_category_id: field(v.nullable(Id), `The price category of the ticket; ${ofTicket}.`),
  price_category_status: field(v.nullable(PriceCategoryStatus), `Whether the price category is on sale; ${ofTicket}.`),
  membership_category_id: field(
    v.nullable(Id),
    'The membership category of the member; null if the barcode is not that of a member with a category.',
  ),
  category_title: field(
    v.nullable(v.string()),
    'Title of the price category, or of the membership category of a member; null if there is neither.',
  ),
  price_title: field(v.nullable(v.string()), `Title of the price (ticket type); ${ofTicket}.`),
  email_address: field(v.nullable(v.string()), 'Email address of the buyer or the member; null if unknown.'),
  section_label: seatText('Section of the seat of the ticket or the member'),
  seat_row: seatText('Row of the seat'),
  seat_title: seatText('Number or name of the seat'),
  unix_local_timestamp: field(
    UnixSeconds,
    "Time of the scan in Unix seconds, plus the offset of the event's timezone at that time.",
  ),
  scanned_at: field(UnixSeconds, 'Time of the scan in Unix seconds (UTC).'),
  tickets_sold: v.optional(
    field(
      v.nullable(Count),
      'Number of tickets sold in the price category; null if the scan has none. Present only if include_sales is true.',
    ),
  ),
});
export type Scan = v.InferOutput<typeof Scan>;
