import * as v from 'valibot';
import { Address, Currency, Instant, Slug, Timezone, Title } from '../schemas/catalogue-text.ts';
import { field, Id } from '../schemas/fields.ts';
import { metadataChange } from '../schemas/metadata.ts';
import { text } from '../schemas/text.ts';

/** The fields of an event that a client sets, on creation and later. */
export const eventFields = {
  title: field(Title, 'Title of the event, as fans see it.'),
  utc_event_start_date: field(
    Instant,
    "Start of the event, ISO 8601, in UTC or with the offset that the event's timezone has at that time.",
  ),
  timezone: field(
    Timezone,
    'IANA name of the timezone of the event, such as Australia/Melbourne. It cannot change once tickets are sold or held.',
  ),
  currency: field(
    Currency,
    'ISO 4217 code, such as AUD, of every amount of this event. It cannot change once the event has prices.',
  ),
  venue_id: field(v.nullable(text(64)), 'The venue, one of list-venues; null for an online event or while undecided.'),
  online_event: field(v.boolean(), 'Whether the event takes place online, without a venue.'),
  url_string: field(
    v.nullable(Slug),
    'URL slug of the event, such as grand-final-2026; null to derive it from the title.',
  ),
  buy_tickets_url: field(v.nullable(Address), 'URL of the page where fans buy tickets.'),
  public_event: field(v.boolean(), 'Whether the event is listed publicly.'),
  reserved_seating: field(
    v.boolean(),
    'Whether each ticket is for a numbered seat. It needs seat_map_id, the map of its seats.',
  ),
  banner_image: field(v.nullable(Address), 'URL of the banner image.'),
  membership_seat_map_id: field(v.nullable(Id), 'Seat map whose members have a seat at the event.'),
  seat_map_id: field(
    v.nullable(Id),
    'Seat map whose seats are sold, in its latest version, which the event keeps. Only with reserved_seating, and only while the event is a draft and nothing is sold or held.',
  ),
  allow_single_seats: field(v.boolean(), 'Whether a buyer may leave a single free seat behind.'),
  metadata: metadataChange,
};
