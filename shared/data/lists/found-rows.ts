import { compareSortKeys } from './compare-sort-keys.ts';

/** A row that matches the filters of a list, and its position in the order of the list. */
export interface Match<Row> {
  readonly id: number;
  readonly sortKey: string;
  /** The row, if finding it needed the whole row. */
  readonly row?: Row | undefined;
}

/** Reads rows that were found, by their keys. `Found` says where they are. */
export interface FoundRows<Row, Found> {
  readonly idOf: (row: Row) => number;
  readonly matchesFilter: (row: Row) => boolean;
  /** Rows that do not exist are left out. */
  readonly readRows: (found: readonly Found[], consistent: boolean) => Promise<readonly Row[]>;
}

/**
 * Returns those of the rows that match now, by their ids. An eventually consistent read may miss the latest change, so a row
 * that seems not to match is read again, consistently, before it is left out.
 */
export async function readMatching<Row, Found extends { readonly id: number }>(
  { idOf, matchesFilter, readRows }: FoundRows<Row, Found>,
  found: readonly Found[],
): Promise<ReadonlyMap<number, Row>> {
  const matching = new Map<number, Row>();
  for (const consistent of [false, true]) {
    const missing = found.filter(({ id }) => !matching.has(id));
    if (missing.length === 0) break;
    for (const row of (await readRows(missing, consistent)).filter(matchesFilter)) matching.set(idOf(row), row);
  }
  return matching;
}

/** A match whose row was read. */
export interface Confirmed<Row, Found> {
  readonly found: Found;
  readonly row: Row;
}

/**
 * Reads the rows of some matches after an offset. A row that does not match any more is left out, and the next one takes its
 * place. `matches` are in the order of the list, and no more of them are read than needed.
 */
export async function confirmMatches<Row, Found extends { readonly id: number; readonly row?: Row | undefined }>(
  rows: FoundRows<Row, Found>,
  matches: AsyncIterable<readonly Found[]>,
  { offset, count }: { readonly offset: number; readonly count: number },
): Promise<readonly Confirmed<Row, Found>[]> {
  const confirmed: Confirmed<Row, Found>[] = [];
  let skip = offset;
  for await (const part of matches) {
    let left = part.slice(skip);
    skip = Math.max(0, skip - part.length);
    while (left.length > 0 && confirmed.length < count) {
      const some = left.slice(0, count - confirmed.length);
      left = left.slice(some.length);
      const unread = some.filter(({ row }) => row === undefined);
      const read = await readMatching(rows, unread);
      for (const found of some) {
        const row = found.row ?? read.get(found.id);
        if (row !== undefined) confirmed.push({ found, row });
      }
    }
    if (confirmed.length >= count) break;
  }
  return confirmed;
}

/** Matches that are all known, in the order of the list. */
export async function* inOrder<Row>(
  matches: readonly Match<Row>[],
  descending: boolean,
): AsyncGenerator<readonly Match<Row>[]> {
  const ascending = [...matches].sort((one, other) => compareSortKeys(one.sortKey, other.sortKey));
  yield descending ? ascending.reverse() : ascending;
}
