import * as v from 'valibot';
import {
  deletedStatus,
  draftStatus,
  type EventRecord,
  type EventStatus,
  eventSortKey,
  publishedStatus,
  type VenueRecord,
} from '../../domain/events/event.ts';
import { eventWords } from '../../domain/events/search.ts';
import type { RowRange } from '../lists/range-reader.ts';
import { parseShortSortKey, shortSortKey } from '../lists/short-sort-key.ts';
import { type WordEntry, wordItems, wordRange } from '../lists/word-row.ts';
import {
  eventKey,
  eventsPartition,
  eventWordPartition,
  type ItemKey,
  pricedEventKey,
  venueKey,
} from '../table/keys.ts';
import { carried, nullable, row, storedEnum, storedMetadata } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';

/** Empty values are not stored: DynamoDB charges by size, and the table contains copies of an event. */
const text = nullable(v.string());
const flag = v.optional(v.boolean(), false);
const status = storedEnum([0, 1, 2, 3], draftStatus);

const StoredEvent = row({
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
  statusId: status,
  bannerImage: text,
  seatMapId: nullable(v.number()),
  seatingMapId: nullable(v.number()),
  seatingVersion: nullable(v.number()),
  allowSingleSeats: flag,
  copiedFrom: v.optional(v.number()),
  seatsUsed: flag,
  seatsJobId: text,
  cancelledUnix: nullable(v.number()),
  wasPublished: v.optional(v.boolean()),
  metadata: storedMetadata,
  version: v.number(),
});

/** Venues of earlier releases have no version. */
const StoredVenue = row({ venueId: v.string(), name: v.string(), version: v.optional(v.number(), 1) });

export type EventItem = ItemKey & Readonly<Record<string, unknown>>;

export function parseEvent(item: unknown): EventRecord {
  return v.parse(StoredEvent, item);
}

export function parseVenue(item: unknown): VenueRecord {
  return v.parse(StoredVenue, item);
}

export function venueItem(orgId: string, venue: VenueRecord): EventItem {
  const { venueId, name, version } = venue;
  return { ...carried(venue), ...venueKey(orgId, venueId), venueId, name, version };
}

/** Writes a venue on the condition that nobody else has changed it since it was read. */
export function venuePut(
  table: Pick<Table, 'name'>,
  orgId: string,
  before: VenueRecord | undefined,
  venue: VenueRecord,
): TransactItem {
  const condition =
    before === undefined
      ? unchangedSince(undefined)
      : {
          ConditionExpression: 'attribute_exists(pk) AND (version = :version OR attribute_not_exists(version))',
          ExpressionAttributeValues: { ':version': before.version },
        };
  return { Put: { TableName: table.name, Item: venueItem(orgId, venue), ...condition } };
}

/** All items of an event: the row and its copies. */
export function eventItems(orgId: string, record: EventRecord): EventItem[] {
  return [eventRow(orgId, record), ...eventViews(orgId, record)];
}

/** Every event that is not deleted, sorted by start. */
export const listedPartition = (orgId: string): string => eventsPartition(orgId, 'listed');
/** The events of one status, sorted by start. */
export const statusPartition = (orgId: string, statusId: number): string => eventsPartition(orgId, `S${statusId}`);

/** The row is the source of truth for an event. It is in index by1 unless it is deleted, and in index by2 by status. */
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
 * A full copy of the row in the partition of the prices, and the search words of the title. They are written in the same
 * transaction as the row.
 */
export function eventViews(orgId: string, record: EventRecord): EventItem[] {
  const fields = {
    ...(record.statusId !== publishedStatus && { st: record.statusId }),
    ...(!record.publicEvent && { hidden: true }),
  };
  const words = wordItems(
    eventWords(record),
    partitionOf(orgId),
    shortSortKey(record.startUnix, record.eventId),
    fields,
  );
  return [{ ...pricedEventKey(orgId, record.eventId), ...attributes(record) }, ...words];
}

/** What a search word says about an event. */
export interface EventEntry extends WordEntry {
  readonly sortKey: string;
  readonly statusId: EventStatus;
  readonly publicEvent: boolean;
}

const EventWord = v.object({ st: v.optional(status, publishedStatus), hidden: flag });

/** The events with a word that starts with a key. */
export function eventWordRange(orgId: string): (key: string) => RowRange<EventEntry> {
  return wordRange<EventEntry>(partitionOf(orgId), (tail, item) => {
    const { st, hidden } = v.parse(EventWord, item);
    const { second: startUnix, id } = parseShortSortKey(tail);
    return { id, sortKey: eventSortKey({ startUnix, eventId: id }), statusId: st, publicEvent: !hidden };
  });
}

const partitionOf = (orgId: string) => (firstCharacter: string) => eventWordPartition(orgId, firstCharacter);

function attributes(record: EventRecord): Record<string, unknown> {
  const present = Object.entries(record).filter(([, value]) => value !== null && value !== false);
  return { ...carried(record), ...Object.fromEntries(present) };
}
