import type { EventRecord } from '../domain/events/event.ts';
import { cancelEventJobId } from '../domain/jobs/job.ts';
import { noMetadata } from '../domain/metadata.ts';
import { writtenTime } from '../domain/time/local-time.ts';
import type { Event } from '../operations/schemas/event.ts';
import { isoTimestamp } from './iso-timestamp.ts';

export interface EventOrganiser {
  readonly orgId: string;
  readonly name: string;
}

export function eventResource({ orgId, name }: EventOrganiser, record: EventRecord): Event {
  const start = writtenTime(record.startUnix, record.timezone);
  return {
    event_id: String(record.eventId),
    title: record.title,
    org_id: orgId,
    organisation_name: name,
    venue_id: record.venueId,
    venue_name: record.venueName,
    online_event: record.onlineEvent,
    url_string: record.urlString,
    buy_tickets_url: record.buyTicketsUrl,
    currency: record.currency,
    currency_symbol: currencySymbol(record.currency),
    public_event: record.publicEvent,
    reserved_seating: record.reservedSeating,
    sold_out: record.soldOut,
    formatted_full_event_start_date: start.full,
    formatted_event_start_date_day: start.weekday,
    formatted_event_start_date_time: start.time,
    formatted_event_start_date_month: start.month,
    formatted_event_start_date_date: start.date,
    formatted_event_start_date_year: start.year,
    utc_event_start_date: isoTimestamp(record.startUnix),
    timezone: record.timezone,
    event_status_id: statusIds[record.statusId],
    banner_image: record.bannerImage,
    membership_seat_map_id: record.seatMapId,
    seat_map_id: record.seatingMapId,
    seat_map_version: record.seatingVersion,
    allow_single_seats: record.allowSingleSeats,
    code: record.code,
    metadata: record.metadata ?? noMetadata,
    version: record.version,
    cancelled_unix: record.cancelledUnix,
    cancel_job_id: record.cancelledUnix === null ? null : cancelEventJobId(record.eventId),
  };
}

/** A string, unlike the other statuses, because the service specification defines it so. */
const statusIds = { 0: '0', 1: '1', 2: '2', 3: '3' } as const satisfies Record<
  EventRecord['statusId'],
  Event['event_status_id']
>;

const symbols = new Map<string, string>();

/** The local symbol: $ for AUD, £ for GBP; the code itself for a currency without a symbol. */
function currencySymbol(currency: string): string {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  symbols.set(currency, symbol);
  return symbol;
}
