import * as v from 'valibot';
import { deletedStatus, type EventRecord, eventSortKey, type VenueRecord } from '../../domain/events/event.ts';
import { eventWords } from '../../domain/events/search.ts';
import { idText } from '../../domain/ids.ts';
import {
  eventKey,
  eventsPartition,
  eventWordPartition,
  type ItemKey,
  pricedEventKey,
  venueKey,
} from '../table/keys.ts';

/** What has no value is not stored: the item's size is its price, and an event stands in the table many times. */
const text = v.optional(v.nullable(v.string()), null);
const flag = v.optional(v.boolean(), false);

const StoredEvent = v.object({
  eventId: v.number(),
  code: v.string(),
  title: v.string(),
  venueId: text,
  venueName: text,
  onlineEvent: flag,
  urlString: v.string(),
  buyTicketsUrl: text,
  currency: v.string(),
  publicEvent: flag,
  reservedSeating: flag,
  soldOut: flag,
  startUnix: v.number(),
  timezone: v.string(),
  statusId: v.picklist([0, 1, 2, 3]),
  bannerImage: text,
  seatMapId: v.optional(v.nullable(v.number()), null),
  version: v.number(),
});

const StoredVenue = v.object({ venueId: v.string(), name: v.string() });

export type EventItem = ItemKey & Readonly<Record<string, unknown>>;

export function parseEvent(item: unknown): EventRecord {
  return v.parse(StoredEvent, item);
}

export function parseVenue(item: unknown): VenueRecord {
  return v.parse(StoredVenue, item);
}

export function venueItem(orgId: string, { venueId, name }: VenueRecord): EventItem {
  return { ...venueKey(orgId, venueId), venueId, name };
}

/** Everything that an event occupies in the table: the row and its copies. */
export function eventItems(orgId: string, record: EventRecord): EventItem[] {
  return [eventRow(orgId, record), ...eventViews(orgId, record)];
}

/** Every event that is not deleted, by start. */
export const listedPartition = (orgId: string): string => eventsPartition(orgId, 'listed');
/** The events of one status, by start. */
export const statusPartition = (orgId: string, statusId: number): string => eventsPartition(orgId, `S${statusId}`);

/** The row is the truth about an event. It stands in by1 unless it is deleted, and in by2 by its status. */
export function eventRow(orgId: string, record: EventRecord): EventItem {
  const sortKey = eventSortKey(record);
  return {
    ...eventKey(orgId, record.eventId),
    ...(record.statusId !== deletedStatus && { by1pk: listedPartition(orgId), by1sk: sortKey }),
    by2pk: statusPartition(orgId, record.statusId),
    by2sk: sortKey,
    ...attributes(record),
  };
}

/**
 * Full copies of the row, so that whoever finds one needs no second read: one beside the prices, and one for each word of the
 * title. They are written with the row or not at all.
 */
export function eventViews(orgId: string, record: EventRecord): EventItem[] {
  const words = eventWords(record).map((word) => ({
    pk: eventWordPartitionOf(orgId, word),
    sk: `${word}\u0000${idText(record.eventId)}`,
  }));
  return [pricedEventKey(orgId, record.eventId), ...words].map((key) => ({ ...key, ...attributes(record) }));
}

/** One partition per first character: a word's neighbours are what a search by its beginning reads. */
export function eventWordPartitionOf(orgId: string, word: string): string {
  const [first = ''] = word;
  return eventWordPartition(orgId, first);
}

function attributes(record: EventRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== false));
}
