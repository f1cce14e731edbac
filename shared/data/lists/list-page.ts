import type { Table } from '../table/table.ts';
import { type CandidateRange, Collector, FoundRows, type Identity } from './collector.ts';
import { compareSortKeys } from './compare-sort-keys.ts';
import { PageWindow } from './page-window.ts';
import { RangeReader, type RowRange } from './range-reader.ts';

/** A list with numbered pages: its filter, its order, and the ranges in which its rows are found. */
export interface RowList<Row> extends Identity<Row> {
  readonly page: number;
  readonly limit: number;
  readonly descending: boolean;
  /** The rows in the order of the list: all rows, or the smallest range that contains every matching one. */
  readonly order: RowRange<Row>;
  /** The position of a row in that order. The order is the order of these texts by their UTF-8 bytes. */
  readonly sortKeyOf: (row: Row) => string;
  /** The filters that `order` does not apply already. */
  readonly matchesFilter: (row: Row) => boolean;
  /** Other ranges that contain all matching rows; none if `order` applies every filter. */
  readonly candidateRanges: readonly CandidateRange<Row>[];
  /** Finds a position near an offset without reading the rows before it. Only for lists whose `order` applies every filter. */
  readonly locate?: (offset: number) => Promise<Located>;
  /** How many matching rows are kept in memory. If there are more, reading in order soon finds enough of them. */
  readonly maxCollected?: number;
}

/** Reading begins after this sort key, which this many rows of the list precede; or the list ends before the offset. */
export type Located = { readonly after: string | undefined; readonly preceding: number } | 'past the end';

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * Reads the page that begins after (page − 1) × limit rows of the list as it is now. Nothing is remembered between requests,
 * so pages may be read in any order and at the same time.
 */
export async function readListPage<Row>(table: Table, wanted: RowList<Row>): Promise<RowPage<Row>> {
  const { page, limit, locate } = wanted;
  const offset = (page - 1) * limit;
  const start = offset < fewRows || locate === undefined ? startOfList : await locate(offset);
  if (start === 'past the end') return { rows: [], hasMore: false };
  const window = new PageWindow<Row>(offset - start.preceding, limit);
  await fillWindow(table, window, wanted, start.after);
  return { rows: window.rows, hasMore: window.isFull };
}

/** Reading this many rows costs less than locating the position. */
const fewRows = 25;
export const startOfList: Located = { after: undefined, preceding: 0 };

async function fillWindow<Row>(
  table: Table,
  window: PageWindow<Row>,
  wanted: RowList<Row>,
  after: string | undefined,
): Promise<void> {
  const { order, descending, matchesFilter } = wanted;
  const reader = new RangeReader(table, order, { after, descending });
  if (
    wanted.candidateRanges.length > 0 &&
    (await collectOrReadInOrder(table, window, wanted, reader)) === 'page complete'
  )
    return;
  while (!window.isFull && !reader.hasEnded) {
    window.add((await reader.read(Math.min(window.missingRows, maxBatch))).filter(matchesFilter));
  }
}

/** More rows than one Query can return. */
const maxBatch = 100_000;
const firstBatch = 25;
const growth = 4;

const defaultMaxCollected = 20_000;

/**
 * Collecting the matching rows and sorting them is fast if few rows match. Reading all rows in order and leaving out the
 * others is fast if many match. The number is not known in advance, so both alternate in growing batches until one of them
 * has filled the page: the cost is a small multiple of the cheaper one's (ADR 0011). When too many rows have been collected,
 * collecting stops and the caller continues to read in order.
 */
async function collectOrReadInOrder<Row>(
  table: Table,
  window: PageWindow<Row>,
  wanted: RowList<Row>,
  reader: RangeReader<Row>,
): Promise<'page complete' | 'continue in order'> {
  const { candidateRanges, matchesFilter, maxCollected = defaultMaxCollected } = wanted;
  const found = new FoundRows(wanted);
  const collectors = candidateRanges.map((candidates) => new Collector(table, candidates, found));
  for (let batch = firstBatch; found.size <= maxCollected; batch = Math.min(batch * growth, maxBatch)) {
    await Promise.all(collectors.map((collector) => collector.read(batch)));
    if (collectors.some(({ hasEnded }) => hasEnded)) {
      addCollected(window, wanted, reader.sortKey, found.rows);
      return 'page complete';
    }
    window.add((await reader.read(batch)).filter(matchesFilter));
    if (window.isFull || reader.hasEnded) return 'page complete';
  }
  return 'continue in order';
}

/** Adds the collected rows that come after those that the window already has from reading in order. */
function addCollected<Row>(
  window: PageWindow<Row>,
  { sortKeyOf, descending }: RowList<Row>,
  seenUpTo: string | undefined,
  found: readonly Row[],
): void {
  const compare = (one: string, other: string): number =>
    descending ? compareSortKeys(other, one) : compareSortKeys(one, other);
  const rest = found
    .map((row) => ({ row, sortKey: sortKeyOf(row) }))
    .filter(({ sortKey }) => seenUpTo === undefined || compare(sortKey, seenUpTo) > 0)
    .sort((one, other) => compare(one.sortKey, other.sortKey));
  window.add(rest.map(({ row }) => row));
}
