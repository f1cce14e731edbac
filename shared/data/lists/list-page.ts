import type { Table } from '../table/table.ts';
import {
  type Candidates,
  type FoundRows,
  type Located,
  type Match,
  readMatching,
  smallRowsPerKey,
  smallRowsPerRow,
  startOfList,
} from './candidates.ts';
import { compareSortKeys } from './compare-sort-keys.ts';
import { expectedRows, PageWindow, type Share } from './page-window.ts';
import { maxBatch, RangeReader, type RowRange } from './range-reader.ts';

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

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * Reads the page that begins after (page − 1) × limit rows of the list as it is now. Nothing is remembered between requests,
 * so pages may be read in any order and at the same time.
 */
export async function readListPage<Row extends object>(table: Table, wanted: RowList<Row>): Promise<RowPage<Row>> {
  const { page, limit, locate, order, descending, found } = wanted;
  const offset = (page - 1) * limit;
  if (found === undefined) {
    return readInOrder(table, wanted, offset < fewRows || locate === undefined ? startOfList : await locate(offset));
  }
  const reading = { window: new PageWindow<Row>(offset, limit), reader: new RangeReader(table, order, { descending }) };
  if ((await findOrReadInOrder(wanted, found, reading)) === 'in order') return restOfPage(wanted, reading);
  const located = await found.candidates.locate?.(offset);
  return located === undefined ? pageOfMatches(table, wanted, found) : readInOrder(table, wanted, located);
}

/** A page as far as it has been read, and the reader of the rows in the order of the list. */
interface Reading<Row> {
  readonly window: PageWindow<Row>;
  readonly reader: RangeReader<Row>;
}

async function readInOrder<Row>(table: Table, wanted: RowList<Row>, start: Located): Promise<RowPage<Row>> {
  if (start === 'past the end') return { rows: [], hasMore: false };
  const { page, limit, order, descending } = wanted;
  return restOfPage(wanted, {
    window: new PageWindow<Row>((page - 1) * limit - start.preceding, limit),
    reader: new RangeReader(table, order, { after: start.after, descending }),
  });
}

async function restOfPage<Row>(
  { matchesFilter }: RowList<Row>,
  { window, reader }: Reading<Row>,
): Promise<RowPage<Row>> {
  let share: Share = { read: 0, matching: 0 };
  while (!window.isFull && !reader.hasEnded) {
    share = await readExpected(window, reader, matchesFilter, share);
  }
  return { rows: window.rows, hasMore: window.isFull };
}

/** Reads as many rows as are expected to contain the missing ones. */
async function readExpected<Row>(
  window: PageWindow<Row>,
  reader: RangeReader<Row>,
  matchesFilter: (row: Row) => boolean,
  share: Share,
): Promise<Share> {
  const rows = await reader.read(expectedRows(window.missingRows, share));
  const matches = rows.filter(matchesFilter);
  window.add(matches);
  return { read: share.read + rows.length, matching: share.matching + matches.length };
}

/** Reading this many rows costs less than locating the position. */
const fewRows = 25;

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
  { matchesFilter }: RowList<Row>,
  { candidates, rowCost = smallRowsPerRow, maxRows = defaultMaxRows }: FoundElsewhere<Row>,
  { window, reader }: Reading<Row>,
): Promise<'found' | 'in order'> {
  let share: Share = { read: 0, matching: 0 };
  for (let batch = firstBatch; candidates.rowsRead <= maxRows; batch = Math.min(batch * growth, maxBatch)) {
    const before = candidates.rowsRead;
    await candidates.read(batch);
    if (candidates.hasEnded) return 'found';
    const most = share.read + (orderShare * candidates.rowsRead) / rowCost;
    if (share.read + expectedRows(window.missingRows, share) > most && candidates.rowsRead === before)
      return 'in order';
    while (share.read + expectedRows(window.missingRows, share) <= most) {
      share = await readExpected(window, reader, matchesFilter, share);
      if (window.isFull || reader.hasEnded) return 'in order';
    }
  }
  return 'in order';
}

/** Reads the rows of a page whose positions are known. If too many of them do not match any more, further ones are found. */
async function pageOfMatches<Row extends object>(
  table: Table,
  wanted: RowList<Row>,
  found: FoundElsewhere<Row>,
): Promise<RowPage<Row>> {
  const { limit } = wanted;
  for (;;) {
    const rows = await rowsOfMatches(table, wanted, found);
    const hasMore = rows.length > limit;
    if (hasMore || !(await found.candidates.readOn?.(limit))) return { rows: rows.slice(0, limit), hasMore };
  }
}

/** Returns the rows of the page and one more. A row that does not match any more is left out, and the next one takes its place. */
async function rowsOfMatches<Row extends object>(
  table: Table,
  wanted: RowList<Row>,
  found: FoundElsewhere<Row>,
): Promise<readonly Row[]> {
  const { page, limit, descending, matchesFilter } = wanted;
  const compare = (one: Match<Row>, other: Match<Row>): number => compareSortKeys(one.sortKey, other.sortKey);
  const sorted = [...(await found.candidates.matches())].sort(
    descending ? (one, other) => compare(other, one) : compare,
  );
  const rows: Row[] = [];
  for (let next = (page - 1) * limit; rows.length <= limit && next < sorted.length; ) {
    const matches = sorted.slice(next, next + limit + 1 - rows.length);
    next += matches.length;
    const unread = matches.filter(({ row }) => row === undefined);
    const dense = await readDense(table, wanted, found, unread);
    const read = await readMatching(
      { ...found, matchesFilter },
      unread.filter(({ id }) => !dense.has(id)),
    );
    rows.push(...matches.flatMap(({ id, row }) => row ?? dense.get(id) ?? read.get(id) ?? []));
  }
  return rows;
}

/** So many rows of a page that reading them in the order of the list is tried. */
const manyMatches = 50;

/**
 * Reads rows in the order of the list, with those between them, as long as that can be expected to cost less than reading the
 * missing ones by their keys: a row that is read by its key costs as much as ten to twenty neighbours.
 */
async function readDense<Row extends object>(
  table: Table,
  { order, descending, matchesFilter }: RowList<Row>,
  { idOf, rowCost = smallRowsPerRow }: FoundElsewhere<Row>,
  matches: readonly Match<Row>[],
): Promise<ReadonlyMap<number, Row>> {
  const rows = new Map<number, Row>();
  const [first, last] = [matches[0]?.sortKey, matches.at(-1)?.sortKey];
  if (first === undefined || last === undefined || matches.length < manyMatches) return rows;
  const bounds = descending ? { from: last, to: first } : { from: first, to: last };
  const reader = new RangeReader(table, { ...order, ...bounds, consistent: false }, { descending });
  const wanted = new Set(matches.map(({ id }) => id));
  let [read, next, isCheaper] = [0, Math.ceil(matches.length / 2), true];
  while (isCheaper && !reader.hasEnded) {
    const some = await reader.read(next);
    read += some.length;
    for (const row of some) if (wanted.has(idOf(row)) && matchesFilter(row)) rows.set(idOf(row), row);
    const missing = matches.length - rows.size;
    next = Math.max(1, expectedRows(missing, { read, matching: rows.size }));
    isCheaper = next * rowCost < missing * smallRowsPerKey;
  }
  return rows;
}
