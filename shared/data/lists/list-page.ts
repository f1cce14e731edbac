import type { Table } from '../table/table.ts';
import { Collector, FoundRows, type Identity, type Narrowing } from './collector.ts';
import { type ListIdentity, nearestPagePosition, rememberPage } from './page-positions.ts';
import { PageWindow } from './page-window.ts';
import { RangeReader, type RowRange } from './range-reader.ts';

/** A list that is shown by page number: what it holds, in which order, and how its rows are found. */
export interface RowList<Row> extends Identity<Row> {
  readonly list: ListIdentity;
  readonly page: number;
  readonly limit: number;
  readonly descending: boolean;
  /** All rows in the order of the list, or as few of them as one range can hold. */
  readonly order: RowRange<Row>;
  /** Where a row stands in that order. Sorting these texts by their UTF-8 bytes is the order itself. */
  readonly sortKeyOf: (row: Row) => string;
  /** The filters that the order does not answer. */
  readonly isWanted: (row: Row) => boolean;
  /** Other ways to find all wanted rows; none when the order answers every filter. */
  readonly narrowings: readonly Narrowing<Row>[];
  /** How many wanted rows are kept in memory. Where there are more, a walk soon comes by some of them. */
  readonly maxGathered?: number;
}

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** One page. In a walk each begins where the one before it ended; a jump goes on from the nearest page that is known. */
export async function readListPage<Row>(table: Table, wanted: RowList<Row>, nowUnix: number): Promise<RowPage<Row>> {
  const { list, page, limit, sortKeyOf } = wanted;
  const known = await nearestPagePosition(table, list, page, nowUnix);
  const window = new PageWindow<Row>(known.page, page, limit);
  await fill(table, window, wanted, known.after);
  const pagePositions = window.starts.map((start) => ({ page: start.page, after: sortKeyOf(start.after) }));
  await Promise.all(pagePositions.map((pagePosition) => rememberPage(table, list, pagePosition, nowUnix)));
  return { rows: window.rows, hasMore: window.isFull };
}

async function fill<Row>(
  table: Table,
  window: PageWindow<Row>,
  wanted: RowList<Row>,
  after: string | undefined,
): Promise<void> {
  const { order, descending, isWanted } = wanted;
  const reader = new RangeReader(table, order, { after, descending });
  if (wanted.narrowings.length > 0 && (await collectOrWalk(table, window, wanted, reader)) === 'answered') return;
  while (!window.isFull && !reader.ended) {
    window.show((await reader.read(Math.min(window.missing, largestPiece))).filter(isWanted));
  }
}

/** More than one answer of the table can hold. */
const largestPiece = 100_000;
const firstPiece = 25;
const growth = 4;

const usuallyMostGathered = 20_000;

/**
 * Gathering the few that a filter leaves and sorting them is quick when they are few; going through the order and leaving
 * out the others is quick when they are many. Nobody knows beforehand, so both take turns in growing pieces, and whichever
 * ends first answers: the cost is a small multiple of the better one's (ADR 0011). Too many are not gathered to the end:
 * then the walk goes on alone.
 */
async function collectOrWalk<Row>(
  table: Table,
  window: PageWindow<Row>,
  wanted: RowList<Row>,
  reader: RangeReader<Row>,
): Promise<'answered' | 'walk on'> {
  const { narrowings, isWanted, maxGathered = usuallyMostGathered } = wanted;
  const found = new FoundRows(wanted);
  const collectors = narrowings.map((narrowing) => new Collector(table, narrowing, found));
  for (let piece = firstPiece; found.size <= maxGathered; piece = Math.min(piece * growth, largestPiece)) {
    await Promise.all(collectors.map((collector) => collector.read(piece)));
    if (collectors.some(({ ended }) => ended)) {
      showRest(window, wanted, reader.sortKey, found.rows);
      return 'answered';
    }
    window.show((await reader.read(piece)).filter(isWanted));
    if (window.isFull || reader.ended) return 'answered';
  }
  return 'walk on';
}

/** The window has seen what the walk came by; the gathered rows go on from there. */
function showRest<Row>(
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
  window.show(rest.map(({ row }) => row));
}

/** As DynamoDB compares keys. JavaScript's own order differs where a character takes two units. */
function compareSortKeys(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
