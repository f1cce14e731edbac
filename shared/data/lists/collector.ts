import type { Table } from '../table/table.ts';
import { RangeReader, type RowRange } from './range-reader.ts';

/** A range that contains every matching row, and may contain others. */
export interface CandidateRange<Row> {
  readonly range: RowRange<Row>;
  /** Matching rows outside the range, such as the row whose id is the search term. */
  readonly additionalRows?: () => Promise<readonly Row[]>;
}

/** Identifies a row, and the newer of two copies of it. */
export interface Identity<Row> {
  readonly idOf: (row: Row) => number;
  readonly versionOf: (row: Row) => number;
}

/** The matching rows, each once, whichever range it was found in. */
export class FoundRows<Row> {
  readonly #wanted: RowFilter<Row>;
  readonly #rows = new Map<number, Row>();

  constructor(wanted: RowFilter<Row>) {
    this.#wanted = wanted;
  }

  get size(): number {
    return this.#rows.size;
  }

  get rows(): Row[] {
    return [...this.#rows.values()];
  }

  /** Two copies of one row differ only if the row changed between the reads. The newer copy is kept. */
  add(row: Row): void {
    const { idOf, versionOf, matchesFilter } = this.#wanted;
    const known = this.#rows.get(idOf(row));
    if (known !== undefined && versionOf(row) < versionOf(known)) return;
    if (matchesFilter(row)) this.#rows.set(idOf(row), row);
    else this.#rows.delete(idOf(row));
  }
}

interface RowFilter<Row> extends Identity<Row> {
  readonly matchesFilter: (row: Row) => boolean;
}

/** Collects the matching rows of a candidate range. At the end of the range all matching rows have been found. */
export class Collector<Row> {
  readonly #reader: RangeReader<Row>;
  readonly #found: FoundRows<Row>;
  #additionalRows: () => Promise<readonly Row[]>;

  constructor(table: Table, { range, additionalRows = async () => [] }: CandidateRange<Row>, found: FoundRows<Row>) {
    this.#reader = new RangeReader(table, range);
    this.#found = found;
    this.#additionalRows = additionalRows;
  }

  get hasEnded(): boolean {
    return this.#reader.hasEnded;
  }

  async read(limit: number): Promise<void> {
    const [rows, additional] = await Promise.all([this.#reader.read(limit), this.#additionalRows()]);
    this.#additionalRows = async () => [];
    for (const row of [...rows, ...additional]) this.#found.add(row);
  }
}
