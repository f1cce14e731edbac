import { RangeReader, type RowRange } from './range-reader.ts';
import type { Table } from './table.ts';

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

/** Gathers the wanted rows of a range. When the range has ended, it has them all. */
export class Collector<Row> {
  readonly #reader: RangeReader<Row>;
  readonly #isWanted: (row: Row) => boolean;
  readonly #identity: Identity<Row>;
  readonly #found = new Map<number, Row>();
  #others: () => Promise<readonly Row[]>;

  constructor(
    table: Table,
    { range, others = async () => [] }: Narrowing<Row>,
    { isWanted, ...identity }: Identity<Row> & { readonly isWanted: (row: Row) => boolean },
  ) {
    this.#reader = new RangeReader(table, range);
    this.#isWanted = isWanted;
    this.#identity = identity;
    this.#others = others;
  }

  get ended(): boolean {
    return this.#reader.ended;
  }

  get found(): Row[] {
    return [...this.#found.values()];
  }

  async read(limit: number): Promise<void> {
    const [rows, others] = await Promise.all([this.#reader.read(limit), this.#others()]);
    this.#others = async () => [];
    for (const row of [...rows, ...others]) this.#take(row);
  }

  /** Two copies of one row differ only if it changed in between: the later one counts. */
  #take(row: Row): void {
    const { idOf, versionOf } = this.#identity;
    const known = this.#found.get(idOf(row));
    if (known !== undefined && versionOf(row) < versionOf(known)) return;
    if (this.#isWanted(row)) this.#found.set(idOf(row), row);
    else this.#found.delete(idOf(row));
  }
}
