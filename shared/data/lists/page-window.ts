import { maxBatch } from './range-reader.ts';

/**
 * Selects one page from the rows of a list, which are added in order: it skips the rows before the page, keeps those of the
 * page, and needs one row more to know whether another page follows. It keeps nothing else, so a distant page needs no memory.
 */
export class PageWindow<Row> {
  readonly #skipped: number;
  readonly #limit: number;
  readonly #taken: Row[] = [];
  #seen = 0;

  /** `skipped` is the number of rows that come before the page. */
  constructor(skipped: number, limit: number) {
    this.#skipped = skipped;
    this.#limit = limit;
  }

  /** How many rows must still be added. */
  get missingRows(): number {
    return this.#skipped + this.#limit + 1 - this.#seen;
  }

  /** Whether the page is complete and another page follows it. */
  get isFull(): boolean {
    return this.missingRows <= 0;
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      if (this.isFull) return;
      this.#seen += 1;
      if (this.#seen > this.#skipped && this.#taken.length < this.#limit) this.#taken.push(row);
    }
  }

  get rows(): readonly Row[] {
    return this.#taken;
  }
}

/** How many rows were read in the order of the list, and how many of them matched. */
export interface Share {
  readonly read: number;
  readonly matching: number;
}

/** One more of both: if nothing was read yet, every row is expected to match. */
export const expectedRows = (missing: number, { read, matching }: Share): number =>
  Math.min(Math.ceil((missing * (read + 1)) / (matching + 1)), maxBatch);
