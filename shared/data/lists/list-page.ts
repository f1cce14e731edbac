import type { Table } from '../table/table.ts';
import { confirmMatches, type FoundRows, type Match } from './found-rows.ts';
import { expectedRows, PageWindow, type Share } from './page-window.ts';
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
  /** Finds a position near an offset without reading the rows before it. Only for lists whose `order` applies every filter. */
  readonly locate?: (offset: number) => Promise<Located>;
  /** Finds the matching rows elsewhere. Only for lists whose `order` does not apply every filter. */
  readonly found?: FoundElsewhere<Row>;
}

/** Reading begins after this sort key, which this many rows of the list precede; or the list ends before the offset. */
export type Located = { readonly after: string | undefined; readonly preceding: number } | 'past the end';
export const startOfList: Located = { after: undefined, preceding: 0 };

/** Finds the matching rows in smaller rows than those of the list, such as search words. */
export interface FoundElsewhere<Row> extends Omit<FoundRows<Row, Match<Row>>, 'matchesFilter'> {
  /** Reads a first part of them. Returns whether few rows match. */
  readFirst(): Promise<boolean>;
  /** The matching rows in the order of the list. Some `expected` of them are needed. */
  matches(expected: number): AsyncIterable<readonly Match<Row>[]>;
}

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * If many rows match, a page near the beginning is read in the order of the list, and the others are left out. That is given up
 * if more rows than these would have to be read.
 */
const nearRows = 1_000;

/**
 * Reads the page that begins after (page − 1) × limit rows of the list as it is now. Nothing is remembered between requests,
 * so pages may be read in any order and at the same time.
 */
export async function readListPage<Row>(table: Table, wanted: RowList<Row>): Promise<RowPage<Row>> {
  const { page, limit, locate, found, matchesFilter } = wanted;
  const offset = (page - 1) * limit;
  if (found === undefined) {
    const start = offset === 0 || locate === undefined ? startOfList : await locate(offset);
    if (start === 'past the end') return { rows: [], hasMore: false };
    const window = new PageWindow<Row>(offset - start.preceding, limit);
    await readInOrder(table, wanted, { window, after: start.after });
    return pageOf(window);
  }
  const window = new PageWindow<Row>(offset, limit);
  if (!(await found.readFirst()) && (await readInOrder(table, wanted, { window, maxRows: nearRows })))
    return pageOf(window);
  // One row more says whether another page follows.
  const count = limit + 1;
  const rows = await confirmMatches({ ...found, matchesFilter }, found.matches(offset + count), { offset, count });
  return { rows: rows.slice(0, limit).map(({ row }) => row), hasMore: rows.length > limit };
}

interface InOrder<Row> {
  readonly window: PageWindow<Row>;
  readonly after?: string | undefined;
  readonly maxRows?: number;
}

/** Fills the page with rows in the order of the list. Returns false if it cannot be expected among the first `maxRows`. */
async function readInOrder<Row>(
  table: Table,
  { order, descending, matchesFilter }: RowList<Row>,
  { window, after, maxRows = Number.POSITIVE_INFINITY }: InOrder<Row>,
): Promise<boolean> {
  const reader = new RangeReader(table, order, { after, descending });
  let share: Share = { read: 0, matching: 0 };
  while (!window.isFull && !reader.hasEnded) {
    const expected = expectedRows(window.missingRows, share);
    if (share.read + expected > maxRows) return false;
    const rows = await reader.read(expected);
    const matching = rows.filter(matchesFilter);
    window.add(matching);
    share = { read: share.read + rows.length, matching: share.matching + matching.length };
  }
  return true;
}

const pageOf = <Row>({ rows, isFull }: PageWindow<Row>): RowPage<Row> => ({ rows, hasMore: isFull });
