import type { Table } from '../table/table.ts';
import { RangeReader, type RowRange } from './range-reader.ts';

/** A range that holds every wanted row, among others. */
export interface Narrowing<Row> {
  readonly range: RowRange<Row>;
  /** Rows that are wanted though they do not stand in the range, such as one that is named by its whole id. */
  readonly others?: () => Promise<readonly Row[]>;
}

/** How rows are told apart, and two copies of the same one. */
export interface Identity<Row> {
  readonly idOf: (row: Row) => number;
  readonly versionOf: (row: Row) => number;
}

/** Wanted rows, each once, whichever range it was found in. */
export class FoundRows<Row> {
  readonly #wanted: Wanted<Row>;
  readonly #rows = new Map<number, Row>();

  constructor(wanted: Wanted<Row>) {
    this.#wanted = wanted;
  }

  get size(): number {
    return this.#rows.size;
  }

  get rows(): Row[] {
    return [...this.#rows.values()];
  }

  /** Two copies of one row differ only if it changed in between: the later one counts. */
  take(row: Row): void {
    const { idOf, versionOf, isWanted } = this.#wanted;
    const known = this.#rows.get(idOf(row));
    if (known !== undefined && versionOf(row) < versionOf(known)) return;
    if (isWanted(row)) this.#rows.set(idOf(row), row);
    else this.#rows.delete(idOf(row));
  }
}

interface Wanted<Row> extends Identity<Row> {
  readonly isWanted: (row: Row) => boolean;
}

/** Gathers the wanted rows of a range. When the range has ended, all that are wanted have been found. */
export class Collector<Row> {
  readonly #reader: RangeReader<Row>;
  readonly #found: FoundRows<Row>;
  #others: () => Promise<readonly Row[]>;

  constructor(table: Table, { range, others = async () => [] }: Narrowing<Row>, found: FoundRows<Row>) {
    this.#reader = new RangeReader(table, range);
    this.#found = found;
    this.#others = others;
  }

  get ended(): boolean {
    return this.#reader.ended;
  }

  async read(limit: number): Promise<void> {
    const [rows, others] = await Promise.all([this.#reader.read(limit), this.#others()]);
    this.#others = async () => [];
    for (const row of [...rows, ...others]) this.#found.take(row);
  }
}
