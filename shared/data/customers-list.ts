import { type CustomerSort, comparePlaces, placeOf } from '../domain/customer-order.ts';
import { type CustomerRecord, lastChangedUnixOf } from '../domain/customer-record.ts';
import { type CustomerSearch, isFound, parseSearch } from '../domain/customer-search.ts';
import { type ListIdentity, nearestBookmark, rememberPage } from './bookmarks.ts';
import { type Collector, collectors } from './customers-collect.ts';
import { PageWindow } from './customers-page.ts';
import { RangeReader, sortedRange } from './customers-ranges.ts';
import { isTableUnavailable } from './failures.ts';
import type { Table } from './table.ts';

export interface CustomerListing {
  readonly orgId: string;
  readonly sort: CustomerSort;
  readonly descending: boolean;
  readonly search: string | undefined;
  readonly updatedSince: number | undefined;
  readonly page: number;
  readonly limit: number;
}

export interface CustomerPage {
  readonly customers: readonly CustomerRecord[];
  readonly hasMore: boolean;
}

/** One page. In a walk each begins where the one before it ended; a jump goes on from the nearest page that is known. */
export async function listCustomers(table: Table, listing: CustomerListing, nowUnix: number): Promise<CustomerPage> {
  const { sort, page, limit } = listing;
  const search = parseSearch(listing.search ?? '');
  const list = identityOf(listing, search);
  const known = await nearestBookmark(table, list, page, nowUnix);
  const window = new PageWindow(known.page, page, limit);
  await fill(table, window, { ...listing, search, after: known.after });
  const bookmarks = window.starts.map((start) => ({ page: start.page, after: placeOf(sort, start.after) }));
  await Promise.all(bookmarks.map((bookmark) => rememberPage(table, list, bookmark, nowUnix))).catch(ignoreUnavailable);
  return { customers: window.customers, hasMore: window.isFull };
}

function identityOf(listing: CustomerListing, search: CustomerSearch | undefined): ListIdentity {
  const { orgId, sort, descending, updatedSince, limit } = listing;
  const parameters = { sort, descending, limit, search: search && [search.whole, ...search.words], updatedSince };
  return { orgId, operation: 'list-customers', parameters };
}

/** A page that was read is worth having also when the table is too busy to remember where the next one begins. */
function ignoreUnavailable(error: unknown): void {
  if (!isTableUnavailable(error)) throw error;
}

interface Sought extends Omit<CustomerListing, 'search'> {
  readonly search: CustomerSearch | undefined;
  readonly after: string | undefined;
}

async function fill(table: Table, window: PageWindow, sought: Sought): Promise<void> {
  const { orgId, sort, search, updatedSince } = sought;
  const walker = new RangeReader(table, sortedRange(orgId, sort, updatedSince), sought);
  const isWanted = (record: CustomerRecord): boolean =>
    (updatedSince === undefined || lastChangedUnixOf(record) > updatedSince) &&
    (search === undefined || isFound(record, search));
  // By last change, the order itself begins at the time; it need not be gathered.
  const gathered = { orgId, search, updatedSince: sort === 'updated' ? undefined : updatedSince, isWanted };
  const collecting = collectors(table, gathered);
  if (collecting.length > 0) return collectOrWalk(window, { ...sought, collecting, walker, isWanted });
  while (!window.isFull && !walker.ended) window.show(await walker.read(Math.min(window.missing, largestPiece)));
}

/** More than one answer of the table can hold. */
const largestPiece = 100_000;
const firstPiece = 25;
const growth = 4;

interface Race extends Sought {
  readonly collecting: readonly Collector[];
  readonly walker: RangeReader;
  readonly isWanted: (record: CustomerRecord) => boolean;
}

/**
 * Gathering the few that a filter leaves and sorting them is quick when they are few; going through the order and leaving
 * out the others is quick when they are many. Nobody knows beforehand, so both take turns in growing pieces, and whichever
 * ends first answers: the cost is a small multiple of the better one's (ADR 0011).
 */
async function collectOrWalk(window: PageWindow, race: Race): Promise<void> {
  const { collecting, walker, isWanted } = race;
  for (let piece = firstPiece; ; piece = Math.min(piece * growth, largestPiece)) {
    await Promise.all(collecting.map((collector) => collector.read(piece)));
    const complete = collecting.find(({ ended }) => ended);
    if (complete !== undefined) return showRest(window, race, complete.found);
    window.show((await walker.read(piece)).filter(isWanted));
    if (window.isFull || walker.ended) return;
  }
}

/** The window has seen what the walk came by; the gathered rows go on from there. */
function showRest(window: PageWindow, { sort, descending, walker }: Race, found: readonly CustomerRecord[]): void {
  const compare = (one: string, other: string): number =>
    descending ? comparePlaces(other, one) : comparePlaces(one, other);
  const rest = found
    .map((customer) => ({ customer, place: placeOf(sort, customer) }))
    .filter(({ place }) => walker.place === undefined || compare(place, walker.place) > 0)
    .sort((one, other) => compare(one.place, other.place));
  window.show(rest.map(({ customer }) => customer));
}
