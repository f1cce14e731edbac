/** A row that matches the filters of a list, and its position in the order of the list. */
export interface Match<Row> {
  readonly id: number;
  readonly sortKey: string;
  /** The row, if finding it needed the whole row. */
  readonly row?: Row | undefined;
}

/** Finds the rows that match the filters of a list in other ranges than that of its order, batch by batch. */
export interface Candidates<Row> {
  /** Reads about this many small rows in each range. */
  read(rows: number): Promise<void>;
  /** How many small rows have been read. Larger rows count as several. */
  readonly rowsRead: number;
  /** Whether every matching row has been found, or can be found for a known price. */
  readonly hasEnded: boolean;
  /** The matching rows in no particular order. Only after the end. */
  matches(): Promise<readonly Match<Row>[]>;
  /** Finds at least this many further matches, or all; false if all had been found. Only after the end. */
  readOn?(matches: number): Promise<boolean>;
  /** Where the rows from an offset on begin in the order of the list, if that costs less than finding all matches. Only after the end. */
  locate?(offset: number): Promise<Located | undefined>;
}

/** Reading begins after this sort key, which this many rows of the list precede; or the list ends before the offset. */
export type Located = { readonly after: string | undefined; readonly preceding: number } | 'past the end';
export const startOfList: Located = { after: undefined, preceding: 0 };

/** How many rows of a search word, or of a position tree, are read for the price of a row in a list. */
export const smallRowsPerRow = 3;
/** The same for the price of a row that is read by its key. */
export const smallRowsPerKey = 70;

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
