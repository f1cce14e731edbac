import {
  deletedStatus,
  type EventRecord,
  type EventStatus,
  eventIdAt,
  eventSortKey,
  isInCatalogue,
} from '../../domain/events/event.ts';
import { eventMatches } from '../../domain/events/search.ts';
import { parseId } from '../../domain/ids.ts';
import { parseSearch, type SearchQuery } from '../../domain/search/query.ts';
import { readListPage } from '../lists/list-page.ts';
import { locatePosition } from '../lists/locate-position.ts';
import { RangeReader, type RowRange } from '../lists/range-reader.ts';
import { foundByWords } from '../lists/word-search.ts';
import { batchGet } from '../table/batch-get.ts';
import { eventKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { catalogue, eventList } from './positions.ts';
import { readEvent } from './read.ts';
import { type EventEntry, eventWordRange, listedPartition, parseEvent, statusPartition } from './row.ts';

export interface EventListing {
  readonly orgId: string;
  /** Undefined lists every event that is not deleted. */
  readonly statusId: EventStatus | undefined;
  /** Only events that everyone may know of. */
  readonly inCatalogue?: boolean;
  readonly search: string | undefined;
  readonly page: number;
  readonly limit: number;
}

export interface EventPage {
  readonly events: readonly EventRecord[];
  readonly hasMore: boolean;
}

/** Returns a page of events, the latest start first. */
export async function listEvents(table: Table, listing: EventListing): Promise<EventPage> {
  const { orgId, statusId, inCatalogue = false, page, limit } = listing;
  const search = parseSearch(listing.search ?? '');
  const hasStatus = (event: Pick<EventRecord, 'statusId' | 'publicEvent'>): boolean =>
    (statusId === undefined ? event.statusId !== deletedStatus : event.statusId === statusId) &&
    (!inCatalogue || isInCatalogue(event));
  const matchesFilter = (event: EventRecord): boolean =>
    hasStatus(event) && (search === undefined || eventMatches(event, search));
  const positions = {
    orgId,
    resource: 'events',
    list: inCatalogue ? catalogue : eventList(statusId),
    descending: true,
  } as const;
  const list = {
    page,
    limit,
    descending: true,
    order: startRange(orgId, statusId),
    matchesFilter,
    ...(search === undefined
      ? { locate: (offset: number) => locatePosition(table, positions, offset) }
      : { found: foundEvents(table, listing, search, { matchesFilter, hasStatus }) }),
  };
  const { rows, hasMore } = await readListPage(table, list);
  return { events: rows, hasMore };
}

/** The events sorted by start: those of a status, or all that are not deleted. */
function startRange(orgId: string, statusId: EventStatus | undefined): RowRange<EventRecord> {
  const keyAt = (sortKey: string) => eventKey(orgId, eventIdAt(sortKey));
  return statusId === undefined
    ? { partition: listedPartition(orgId), index: { name: 'by1', keyAt }, parse: parseEvent }
    : { partition: statusPartition(orgId, statusId), index: { name: 'by2', keyAt }, parse: parseEvent };
}

interface Filters {
  readonly matchesFilter: (event: EventRecord) => boolean;
  readonly hasStatus: (event: Pick<EventRecord, 'statusId' | 'publicEvent'>) => boolean;
}

/** The events that have the words of a search, or whose id is one. */
function foundEvents(
  table: Table,
  { orgId }: EventListing,
  search: SearchQuery,
  { matchesFilter, hasStatus }: Filters,
) {
  const rangeOf = eventWordRange(orgId);
  return foundByWords<EventRecord, EventEntry>({
    search,
    descending: true,
    readerOf: (key) => new RangeReader(table, rangeOf(key)),
    rowsWithIds: async (ids) => {
      const eventIds = [...new Set(ids.map(parseId))].filter((id) => id !== undefined);
      const events = await Promise.all(eventIds.map((eventId) => readEvent(table, orgId, eventId)));
      return events.filter((event) => event !== undefined);
    },
    passes: hasStatus,
    matchesFilter,
    idOf: ({ eventId }) => eventId,
    sortKeyOf: eventSortKey,
    readRows: async (events, consistent) => {
      const keys = events.map(({ id }) => eventKey(orgId, id));
      return (await batchGet(table, keys, { consistent })).map(parseEvent);
    },
  });
}
