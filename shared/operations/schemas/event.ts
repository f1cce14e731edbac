import * as v from 'valibot';
import { field, Id, IsoTimestamp, resource } from './fields.ts';

/** A string, unlike the other statuses: the service specification types it so. */
const EventStatusId = v.picklist(['0', '1', '2', '3']);

export const Event = resource('Event', 'A match, concert or other occasion that tickets are sold for.', {
  event_id: field(v.string(), 'Names the event in every path below /v1/events.'),
  title: field(v.string(), 'The name that fans see.'),
  org_id: field(v.string(), 'The organisation that holds the event.'),
  organisation_name: field(v.string(), 'Name of that organisation.'),
  venue_id: field(v.nullable(v.string()), 'Where it takes place; null for an online event or while undecided.'),
  venue_name: field(v.nullable(v.string()), 'Name of the venue; null when there is no venue.'),
  online_event: field(v.boolean(), 'True when it takes place online, without a venue.'),
  url_string: field(v.string(), 'Readable last part of the address of an event page, such as grand-final-2026.'),
  buy_tickets_url: field(v.nullable(v.string()), 'Page where fans buy; null when the organisation has named none.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount of this event.'),
  currency_symbol: field(v.string(), 'What to print before an amount, such as $.'),
  public_event: field(v.boolean(), 'False when the event is not to be listed publicly.'),
  reserved_seating: field(v.boolean(), 'True when each ticket is for a numbered seat; such events take no baskets.'),
  sold_out: field(v.boolean(), 'True when no price has stock left; follows the stock within seconds.'),
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
  utc_event_start_date: field(IsoTimestamp, 'Start in UTC, ISO 8601.'),
  timezone: field(
    v.string(),
    'IANA name, such as Australia/Melbourne, that local dates and times of the event are in.',
  ),
  event_status_id: field(EventStatusId, '0 draft, 1 published, 2 deleted, 3 closed.'),
  banner_image: field(v.nullable(v.string()), 'Address of the image; null when there is none.'),
  membership_seat_map_id: field(
    v.nullable(Id),
    'Seat map whose members hold a seat at this event; null when there is none.',
  ),
});
export type Event = v.InferOutput<typeof Event>;
