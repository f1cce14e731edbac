import * as v from 'valibot';
import { warningsField } from './dry-run.ts';
import { field, Id, IsoTimestamp, resource, UnixSeconds, Version } from './fields.ts';
import { keyOnlyMetadata } from './metadata.ts';

/** The service specification types this status as a string, unlike the others. */
const EventStatusId = v.picklist(['0', '1', '2', '3']);

const entries = {
  event_id: field(v.string(), 'Unique identifier of the event.'),
  title: field(v.string(), 'Title of the event, as fans see it.'),
  org_id: field(v.string(), 'The organisation that runs the event.'),
  organisation_name: field(v.string(), 'Name of the organisation.'),
  venue_id: field(v.nullable(v.string()), 'The venue; null for an online event or while undecided.'),
  venue_name: field(v.nullable(v.string()), 'Name of the venue; null if there is none.'),
  online_event: field(v.boolean(), 'Whether the event takes place online, without a venue.'),
  url_string: field(v.string(), 'URL slug of the event, such as grand-final-2026.'),
  buy_tickets_url: field(v.nullable(v.string()), 'URL of the page where fans buy tickets; null if there is none.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount of this event.'),
  currency_symbol: field(v.string(), 'Symbol to show before an amount, such as $.'),
  public_event: field(v.boolean(), 'Whether the event is listed publicly.'),
  reserved_seating: field(
    v.boolean(),
    'Whether each ticket is for a numbered seat. With a `seat_map_id` its seats are sold in baskets.',
  ),
  sold_out: field(v.boolean(), 'Whether all prices are sold out. Updated within seconds of a stock change.'),
  formatted_full_event_start_date: field(
    v.string(),
    "Start in English in the event's timezone, such as Saturday 14 November 2026, 7:30 pm.",
  ),
  formatted_event_start_date_day: field(v.string(), "Weekday of the start in the event's timezone, such as Saturday."),
  formatted_event_start_date_time: field(v.string(), "Time of the start in the event's timezone, such as 7:30 pm."),
  formatted_event_start_date_month: field(v.string(), "Month of the start in the event's timezone, such as November."),
  formatted_event_start_date_date: field(
    v.string(),
    "Day of the month of the start in the event's timezone, such as 14.",
  ),
  formatted_event_start_date_year: field(v.string(), "Year of the start in the event's timezone, such as 2026."),
  utc_event_start_date: field(IsoTimestamp, 'Start of the event in UTC, ISO 8601.'),
  timezone: field(
    v.string(),
    'IANA name of the timezone of the event, such as Australia/Melbourne. Local dates and times are in this timezone.',
  ),
  event_status_id: field(EventStatusId, 'Status of the event: 0 draft, 1 published, 2 deleted, 3 closed.'),
  banner_image: field(v.nullable(v.string()), 'URL of the banner image; null if there is none.'),
  membership_seat_map_id: field(
    v.nullable(Id),
    'Seat map whose members have a seat at the event; null if there is none.',
  ),
  seat_map_id: field(
    v.nullable(Id),
    'Seat map whose seats are sold; null without reserved seating, or if its seats are sold elsewhere.',
  ),
  seat_map_version: field(
    v.nullable(Version),
    'The version of the seat map that the event keeps; null if it has none.',
  ),
  allow_single_seats: field(v.boolean(), 'Whether a buyer may leave a single free seat behind.'),
  code: field(v.string(), "The organisation's own short name for the event, by which imports identify it."),
  metadata: keyOnlyMetadata,
  version: field(
    Version,
    'Raised by every change of the event. Send it in If-Match, so that a change by somebody else is not lost.',
  ),
  cancelled_unix: field(
    v.nullable(UnixSeconds),
    'When the event was cancelled, in Unix seconds; null if it was not. A cancelled event is closed: it sells and admits nothing.',
  ),
  cancel_job_id: field(
    v.nullable(v.string()),
    'The job that refunds the orders of a cancelled event or cancels their tickets, for retrieve-job; null if the event was not cancelled.',
  ),
};

export const Event = resource('Event', 'A match, concert or other event that tickets are sold for.', entries);
export type Event = v.InferOutput<typeof Event>;

export const CheckedEvent = resource('CheckedEvent', 'An event that was written, or only checked by a dry run.', {
  ...entries,
  ...warningsField,
});
