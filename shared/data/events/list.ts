import {
  deletedStatus,
  type EventRecord,
  type EventStatus,
  eventSortKey,
  isInCatalogue,
} from '../../domain/events/event.ts';
import { eventMatches } from '../../domain/events/search.ts';
import { parseId } from '../../domain/ids.ts';
import { indexedWords, parseSearch, type SearchQuery } from '../../domain/search/query.ts';
import type { CandidateRange } from '../lists/collector.ts';
import { readListPage } from '../lists/list-page.ts';
import { memoize } from '../lists/memoize.ts';
import type { RowRange } from '../lists/range-reader.ts';
import { locatePosition } from '../positions/locate.ts';
import { eventKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { eventList } from './positions.ts';
import { readEvent } from './read.ts';
import { eventWordPartitionOf, listedPartition, parseEvent, statusPartition } from './row.ts';

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
  const hasStatus = (event: EventRecord): boolean =>
    (statusId === undefined ? event.statusId !== deletedStatus : event.statusId === statusId) &&
    (!inCatalogue || isInCatalogue(event));
  const list = {
    page,
    limit,
    descending: true,
    order: startRange(orgId, statusId),
    sortKeyOf: eventSortKey,
    matchesFilter: (event: EventRecord) => hasStatus(event) && (search === undefined || eventMatches(event, search)),
    candidateRanges: candidateRanges(table, orgId, search),
    // The trees do not know which events are public.
    ...(search === undefined &&
      !inCatalogue && {
        locate: (offset: number) =>
          locatePosition(table, { orgId, resource: 'events', list: eventList(statusId), descending: true }, offset),
      }),
    idOf: ({ eventId }: EventRecord) => eventId,
    versionOf: ({ version }: EventRecord) => version,
  };
  const { rows, hasMore } = await readListPage(table, list);
  return { events: rows, hasMore };
}

/** The events sorted by start: those of a status, or all that are not deleted. */
function startRange(orgId: string, statusId: EventStatus | undefined): RowRange<EventRecord> {
  const keyAt = (sortKey: string) => eventKey(orgId, idAtSortKey(sortKey));
  return statusId === undefined
    ? { partition: listedPartition(orgId), index: { name: 'by1', keyAt }, parse: parseEvent }
    : { partition: statusPartition(orgId, statusId), index: { name: 'by2', keyAt }, parse: parseEvent };
}

function idAtSortKey(sortKey: string): number {
  return Number(sortKey.slice(sortKey.indexOf('#') + 1));
}

/** For each word: the events that have a word starting with it, and the event whose id it is. */
function candidateRanges(
  table: Table,
  orgId: string,
  search: SearchQuery | undefined,
): readonly CandidateRange<EventRecord>[] {
  const findById = memoize(async (word) => {
    const eventId = parseId(word);
    const event = eventId === undefined ? undefined : await readEvent(table, orgId, eventId);
    return event === undefined ? [] : [event];
  });
  return indexedWords(search).map(({ id, key }) => ({
    range: { partition: eventWordPartitionOf(orgId, key), prefix: key, parse: parseEvent },
    additionalRows: () => findById(id),
  }));
}
