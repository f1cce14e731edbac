import * as v from 'valibot';
import { everyEvent } from '../../../shared/data/admin/every-event.ts';
import { readVenue, readVenues, renameVenuesOfEvents, saveVenue } from '../../../shared/data/admin/venues.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { saveEvent } from '../../../shared/data/events/save.ts';
import { type MembershipConfig, readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { readPriceList } from '../../../shared/data/prices/read.ts';
import { derivedEventId, derivedId } from '../../../shared/data/table/derived-id.ts';
import type { EventRecord, VenueRecord } from '../../../shared/domain/events/event.ts';
import { fold } from '../../../shared/domain/search/text.ts';
import { isoTimestamp } from '../../../shared/mappers/iso-timestamp.ts';
import * as field from '../columns.ts';
import { defineKind, type SaveResult, type Scope } from '../dataset.ts';

const consistent = { consistent: true } as const;

const VenueRow = v.strictObject({ venue_id: field.code, venue_name: field.text(200) });

const venueRow = ({ venueId, name }: VenueRecord): v.InferOutput<typeof VenueRow> => ({
  venue_id: venueId,
  venue_name: name,
});

export const venues = defineKind({
  name: 'venues',
  things: 'venues',
  key: 'venue_id',
  schema: VenueRow,
  async open({ table, orgId }) {
    // At first as after a change: an earlier run may have been cut off before it had settled.
    let isRenamed = true;
    return {
      blank: {},
      async find(key) {
        const venue = await readVenue(table, orgId, key);
        return venue && venueRow(venue);
      },
      async save({ venue_id, venue_name }) {
        const outcome = await saveVenue(table, orgId, { venueId: venue_id, name: venue_name });
        isRenamed ||= outcome === 'updated';
        return outcome;
      },
      async settle() {
        if (isRenamed) await renameVenuesOfEvents(table, orgId);
        isRenamed = false;
      },
    };
  },
  async *rows({ table, orgId }) {
    yield* (await readVenues(table, orgId)).map(venueRow);
  },
});

/** Events are listed by ten digits of Unix seconds. */
function isListable(start: string): boolean {
  const unix = Date.parse(start) / 1000;
  return unix >= 0 && unix < 10 ** 10;
}

const EventRow = v.strictObject({
  code: field.code,
  title: field.text(200),
  /** Made of the title where there is none. */
  url_string: v.nullable(field.slug),
  venue_id: v.nullable(field.code),
  online_event: field.truth,
  buy_tickets_url: field.addressOrNull,
  currency: field.currency,
  public_event: field.truth,
  reserved_seating: field.truth,
  utc_event_start_date: v.pipe(field.time, v.check(isListable, 'must be between 1970 and 2286')),
  timezone: field.timezone,
  event_status_id: v.picklist([0, 1, 2, 3], 'must be 0 (draft), 1 (published), 2 (deleted) or 3 (closed)'),
  banner_image: field.addressOrNull,
  seat_map_code: v.nullable(field.code),
});
type EventRow = v.InferOutput<typeof EventRow>;

const blankEvent = {
  url_string: null,
  venue_id: null,
  online_event: false,
  buy_tickets_url: null,
  public_event: true,
  reserved_seating: false,
  event_status_id: 0,
  banner_image: null,
  seat_map_code: null,
} as const;

export const events = defineKind({
  name: 'events',
  things: 'events',
  key: 'code',
  schema: EventRow,
  async open(scope) {
    const { table, orgId } = scope;
    const [config, organisation] = await Promise.all([
      readMembershipConfig(table, orgId),
      readOrganisation(table, orgId),
    ]);
    return {
      blank: { ...blankEvent, timezone: organisation?.timezone ?? 'UTC' },
      async find(key) {
        const event = await readEvent(table, orgId, derivedEventId(orgId, key), consistent);
        return event && eventRow(event, config);
      },
      save: (row) => save(row, config, scope),
    };
  },
  async *rows({ table, orgId }) {
    const config = await readMembershipConfig(table, orgId);
    for await (const event of everyEvent(table, orgId)) yield eventRow(event, config);
  },
});

async function save(row: EventRow, config: MembershipConfig, { table, orgId }: Scope): Promise<SaveResult> {
  const venue = row.venue_id === null ? undefined : await readVenue(table, orgId, row.venue_id);
  if (row.venue_id !== null && venue === undefined) {
    return { rejected: `venue_id names no venue: "${row.venue_id}".` };
  }
  const seatMapId = row.seat_map_code === null ? null : derivedId(orgId, 'seatmap', row.seat_map_code);
  if (seatMapId !== null && !config.seatMaps.has(seatMapId)) {
    return { rejected: `seat_map_code names no seat map: "${row.seat_map_code}".` };
  }
  if (await wouldChangeCurrency(row, { table, orgId })) {
    return { rejected: 'currency cannot change once an event has prices: their amounts would mean something else.' };
  }
  const saved = await saveEvent(table, orgId, {
    code: row.code,
    title: row.title,
    venueId: row.venue_id,
    venueName: venue?.name ?? null,
    onlineEvent: row.online_event,
    urlString: row.url_string ?? slugOf(row.title, row.code),
    buyTicketsUrl: row.buy_tickets_url,
    currency: row.currency,
    publicEvent: row.public_event,
    reservedSeating: row.reserved_seating,
    startUnix: Math.floor(Date.parse(row.utc_event_start_date) / 1000),
    timezone: row.timezone,
    statusId: row.event_status_id,
    bannerImage: row.banner_image,
    seatMapId,
  });
  return saved.outcome;
}

async function wouldChangeCurrency(row: EventRow, { table, orgId }: Omit<Scope, 'nowUnix'>): Promise<boolean> {
  const eventId = derivedEventId(orgId, row.code);
  const event = await readEvent(table, orgId, eventId, consistent);
  if (event === undefined || event.currency === row.currency) return false;
  return (await readPriceList(table, orgId, eventId, consistent)).prices.length > 0;
}

function eventRow(event: EventRecord, { seatMaps }: MembershipConfig): EventRow {
  return {
    code: event.code,
    title: event.title,
    url_string: event.urlString,
    venue_id: event.venueId,
    online_event: event.onlineEvent,
    buy_tickets_url: event.buyTicketsUrl,
    currency: event.currency,
    public_event: event.publicEvent,
    reserved_seating: event.reservedSeating,
    utc_event_start_date: isoTimestamp(event.startUnix),
    timezone: event.timezone,
    event_status_id: event.statusId,
    banner_image: event.bannerImage,
    seat_map_code: event.seatMapId === null ? null : (seatMaps.get(event.seatMapId)?.code ?? null),
  };
}

/** `Harbour FC v. São Paulo` as `harbour-fc-v-sao-paulo`; the code where a title has no such letters. */
function slugOf(title: string, code: string): string {
  const slug = (text: string): string =>
    fold(text)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 100);
  return slug(title) || slug(code) || 'event';
}
