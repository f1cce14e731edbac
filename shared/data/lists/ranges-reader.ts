import type { Table } from '../table/table.ts';
import { RangeReader, type RowRange } from './range-reader.ts';

/** A Query of half a unit reads at least this many search words, so no range is read in smaller parts. */
const leastRows = 60;
const queriesAtOnce = 25;

/** Reads several ranges side by side, in no order among each other. */
export class RangesReader<Row> {
  readonly #readers: readonly RangeReader<Row>[];

  constructor(table: Table, ranges: readonly RowRange<Row>[]) {
    this.#readers = ranges.map((range) => new RangeReader(table, range));
  }

  /** Whether all ranges have been read. */
  get hasEnded(): boolean {
    return this.#readers.every(({ hasEnded }) => hasEnded);
  }

  /** Returns about this many of the next rows, the same share of each range that has not ended. */
  async read(limit: number): Promise<readonly Row[]> {
    const left = this.#readers.filter(({ hasEnded }) => !hasEnded);
    const share = Math.max(leastRows, Math.ceil(limit / left.length));
    const rows: Row[] = [];
    for (let first = 0; first < left.length; first += queriesAtOnce) {
      const some = left.slice(first, first + queriesAtOnce);
      rows.push(...(await Promise.all(some.map((reader) => reader.read(share)))).flat());
    }
    return rows;
  }
}
