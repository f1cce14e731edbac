import * as v from 'valibot';
import { type EventRefusal, saveEvent } from '../../../shared/catalogue/save-event.ts';
import { everyEvent } from '../../../shared/data/admin/read-all.ts';
import { countEvents } from '../../../shared/data/admin/totals.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { type MembershipConfig, readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { derivedEventId, derivedId } from '../../../shared/data/table/derived-id.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import type { EventRecord } from '../../../shared/domain/events/event.ts';
import { isoTimestamp } from '../../../shared/mappers/iso-timestamp.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import * as column from '../columns.ts';
import { defineDataset, type SaveResult, type TransferContext } from '../dataset.ts';
import { metadataPairs } from '../metadata-columns.ts';

const consistent = { consistent: true } as const;

/** Lists of events are sorted by ten digits of Unix seconds. */
function isListable(start: string): boolean {
  const unix = Date.parse(start) / 1000;
  return unix >= 0 && unix < 10 ** 10;
}

const EventRow = v.strictObject({
  code: column.code,
  title: column.text(200),
  /** Derived from the title if it is null. */
  url_string: v.nullable(column.slug),
  venue_id: v.nullable(column.code),
  online_event: column.boolean,
  buy_tickets_url: column.addressOrNull,
  currency: column.currency,
  public_event: column.boolean,
  reserved_seating: column.boolean,
  utc_event_start_date: v.pipe(column.time, v.check(isListable, 'must be between 1970 and 2286')),
  timezone: column.timezone,
  event_status_id: v.picklist([0, 1, 2, 3], 'must be 0 (draft), 1 (published), 2 (deleted) or 3 (closed)'),
  banner_image: column.addressOrNull,
  seat_map_code: v.nullable(column.code),
  reserved_seat_map_code: v.nullable(column.code),
  allow_single_seats: column.boolean,
  metadata: metadataPairs,
});
type EventRow = v.InferOutput<typeof EventRow>;

const eventDefaults = {
  url_string: null,
  venue_id: null,
  online_event: false,
  buy_tickets_url: null,
  public_event: true,
  reserved_seating: false,
  event_status_id: 0,
  banner_image: null,
  seat_map_code: null,
  reserved_seat_map_code: null,
  allow_single_seats: false,
} as const;

export const events = defineDataset({
  name: 'events',
  plural: 'events',
  key: 'code',
  schema: EventRow,
  async open(context) {
    const { table, orgId } = context;
    const [config, organisation] = await Promise.all([
      readMembershipConfig(table, orgId),
      readOrganisation(table, orgId),
    ]);
    return {
      defaults: { ...eventDefaults, timezone: organisation?.timezone ?? 'UTC' },
      async find(key) {
        const event = await readEvent(table, orgId, derivedEventId(orgId, key), consistent);
        return event && eventRow(event, config);
      },
      save: (row, _isGiven, tried) => save(row, tried, context),
    };
  },
  total: ({ table, orgId }) => countEvents(table, orgId),
  async *rows({ table, orgId }) {
    const config = await readMembershipConfig(table, orgId);
    for await (const event of everyEvent(table, orgId)) yield eventRow(event, config);
  },
});

async function save(row: EventRow, tried: TriedWrites, { table, orgId, clock }: TransferContext): Promise<SaveResult> {
  const draft = {
    code: row.code,
    title: row.title,
    venueId: row.venue_id,
    onlineEvent: row.online_event,
    urlString: row.url_string,
    buyTicketsUrl: row.buy_tickets_url,
    currency: row.currency,
    publicEvent: row.public_event,
    reservedSeating: row.reserved_seating,
    startUnix: Math.floor(Date.parse(row.utc_event_start_date) / 1000),
    timezone: row.timezone,
    statusId: row.event_status_id,
    bannerImage: row.banner_image,
    seatMapId: row.seat_map_code === null ? null : derivedId(orgId, 'seatmap', row.seat_map_code),
    seatingMapId: row.reserved_seat_map_code === null ? null : derivedId(orgId, 'seatmap', row.reserved_seat_map_code),
    allowSingleSeats: row.allow_single_seats,
    metadata: row.metadata,
  };
  const saved = await saveEvent(table, orgId, draft, { tried, nowUnix: unixSeconds(clock) });
  if ('refusal' in saved) return { rejected: refusalText(row, saved.refusal) };
  if (saved.outcome !== 'currency_fixed') return saved.outcome;
  return { rejected: 'currency cannot change after an event has prices: their amounts would change.' };
}

function refusalText(row: EventRow, refusal: EventRefusal): string {
  switch (refusal.reason) {
    case 'venue_missing':
      return `venue_id "${row.venue_id}" does not exist.`;
    case 'seat_map_missing':
      return `seat_map_code "${row.seat_map_code}" does not exist.`;
    case 'seating_map_missing':
      return `reserved_seat_map_code "${row.reserved_seat_map_code}" does not exist, or has no seats.`;
    case 'seating_not_reserved':
      return 'reserved_seat_map_code needs reserved_seating.';
    case 'already_sold':
      return `${refusal.field} cannot change after tickets are sold or held.`;
    case 'seats_not_ready':
      return 'Members have seats on this map. Import the event with event_status_id 0, and again with 1 when their seats are entered, usually within two minutes.';
    default:
      return `The event was refused: ${refusal.reason}.`;
  }
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
    reserved_seat_map_code: event.seatingMapId === null ? null : (seatMaps.get(event.seatingMapId)?.code ?? null),
    allow_single_seats: event.allowSingleSeats,
    metadata: event.metadata,
  };
}
