import type { Table } from '../table/table.ts';
import { type Candidates, type FoundRows, type Match, readMatching, smallRowsPerRow } from './candidates.ts';
import { compareSortKeys } from './compare-sort-keys.ts';
import { PageWindow } from './page-window.ts';
import { RangeReader, type RowRange } from './range-reader.ts';

/** A list with numbered pages: its filter, its order, and the ranges in which its rows are found. */
export interface RowList<Row> {
  readonly page: number;
  readonly limit: number;
  readonly descending: boolean;
  /** The rows in the order of the list: all rows, or the smallest range that contains every matching one. */
  readonly order: RowRange<Row>;
  /** The filters that `order` does not apply already. */
  readonly matchesFilter: (row: Row) => boolean;
  /** Finds the matching rows in other ranges; undefined if `order` applies every filter. */
  readonly found?: FoundElsewhere<Row> | undefined;
  /** Finds a position near an offset without reading the rows before it. Only for lists whose `order` applies every filter. */
  readonly locate?: (offset: number) => Promise<Located>;
}

interface FoundElsewhere<Row> extends Omit<FoundRows<Row, Match<Row>>, 'matchesFilter'> {
  readonly candidates: Candidates<Row>;
  /** How many small rows cost as much as a row in the order of the list; three by default. */
  readonly rowCost?: number;
  /** How many small rows are kept in memory. If there are more, the rows are read in the order of the list. */
  readonly maxRows?: number;
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
export async function readListPage<Row extends object>(table: Table, wanted: RowList<Row>): Promise<RowPage<Row>> {
  const { page, limit, locate, order, descending, matchesFilter, found } = wanted;
  const offset = (page - 1) * limit;
  const start = offset < fewRows || locate === undefined ? startOfList : await locate(offset);
  if (start === 'past the end') return { rows: [], hasMore: false };
  const window = new PageWindow<Row>(offset - start.preceding, limit);
  const reader = new RangeReader(table, order, { after: start.after, descending });
  if (found !== undefined && (await findOrReadInOrder(window, wanted, found, reader)) === 'found') {
    return pageOfMatches(wanted, found, offset);
  }
  while (!window.isFull && !reader.hasEnded) {
    window.add((await reader.read(Math.min(window.missingRows, maxBatch))).filter(matchesFilter));
  }
  return { rows: window.rows, hasMore: window.isFull };
}

/** Reading this many rows costs less than locating the position. */
const fewRows = 25;
export const startOfList: Located = { after: undefined, preceding: 0 };

/** More rows than one Query can return. */
const maxBatch = 100_000;
const firstBatch = 75;
const growth = 4;
const defaultMaxRows = 250_000;
/** What reading in order may be expected to cost, relative to what was spent on finding the matches. */
const orderShare = 2;

/**
 * Finding all matches is cheap if few rows match or the page is distant. Reading all rows in order and leaving out the others
 * is cheap if many match and the page is near. The number of matches is not known in advance, so matches are searched in
 * growing batches, and after each the rest of the page is read in order if that can be expected to cost about as much as was
 * spent so far: the cost is a small multiple of the cheaper way's (ADR 0011).
 */
async function findOrReadInOrder<Row>(
  window: PageWindow<Row>,
  { matchesFilter }: RowList<Row>,
  { candidates, rowCost = smallRowsPerRow, maxRows = defaultMaxRows }: FoundElsewhere<Row>,
  reader: RangeReader<Row>,
): Promise<'found' | 'in order'> {
  let [inOrder, matching] = [0, 0];
  for (let batch = firstBatch; candidates.rowsRead <= maxRows; batch = Math.min(batch * growth, maxBatch)) {
    const before = candidates.rowsRead;
    await candidates.read(batch);
    if (candidates.hasEnded) return 'found';
    // One more of both: if nothing was read yet, every row is expected to match.
    const expected = Math.ceil((window.missingRows * (inOrder + 1)) / (matching + 1));
    if (expected * rowCost <= orderShare * candidates.rowsRead) {
      const rows = await reader.read(Math.min(expected, maxBatch));
      const matches = rows.filter(matchesFilter);
      [inOrder, matching] = [inOrder + rows.length, matching + matches.length];
      window.add(matches);
      if (window.isFull || reader.hasEnded) return 'in order';
    } else if (candidates.rowsRead === before) return 'in order';
  }
  return 'in order';
}

/** Reads the rows of a page by their keys. A row that does not match any more is left out, and the next one takes its place. */
async function pageOfMatches<Row extends object>(
  wanted: RowList<Row>,
  found: FoundElsewhere<Row>,
  offset: number,
): Promise<RowPage<Row>> {
  const { limit, descending, matchesFilter } = wanted;
  const compare = (one: Match<Row>, other: Match<Row>): number => compareSortKeys(one.sortKey, other.sortKey);
  const sorted = [...(await found.candidates.matches())].sort(
    descending ? (one, other) => compare(other, one) : compare,
  );
  const rows: Row[] = [];
  for (let next = offset; rows.length <= limit && next < sorted.length; ) {
    const matches = sorted.slice(next, next + limit + 1 - rows.length);
    next += matches.length;
    const read = await readMatching(
      { ...found, matchesFilter },
      matches.filter(({ row }) => row === undefined),
    );
    rows.push(...matches.flatMap(({ id, row }) => row ?? read.get(id) ?? []));
  }
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
