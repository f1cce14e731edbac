/** The start of a page: it begins after this row. */
export interface PageStart<Row> {
  readonly page: number;
  readonly after: Row;
}

/**
 * Selects one page from the rows of a list, which are added in order: it skips the rows before the page, keeps those of the
 * page, and needs one row more to know whether another page follows. It keeps nothing else, so a distant page needs no memory.
 */
export class PageWindow<Row> {
  readonly #firstPage: number;
  readonly #page: number;
  readonly #limit: number;
  readonly #taken: Row[] = [];
  #seen = 0;
  #starts: PageStart<Row>[] = [];

  /** The first row that is added is the first row of `firstPage`. */
  constructor(firstPage: number, page: number, limit: number) {
    this.#firstPage = firstPage;
    this.#page = page;
    this.#limit = limit;
  }

  /** How many rows must still be added. */
  get missingRows(): number {
    return (this.#page - this.#firstPage + 1) * this.#limit + 1 - this.#seen;
  }

  /** Whether the page is complete and another page follows it. */
  get isFull(): boolean {
    return this.missingRows <= 0;
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      if (this.isFull) return;
      const page = this.#firstPage + Math.floor(this.#seen / this.#limit);
      this.#seen += 1;
      if (page === this.#page) this.#taken.push(row);
      const isLast = this.#seen % this.#limit === 0;
      if (isLast && page <= this.#page) this.#starts = [...this.#starts.slice(-1), { page: page + 1, after: row }];
    }
  }

  get rows(): readonly Row[] {
    return this.#taken;
  }

  /**
   * The starts to remember: that of the next page, and that of this page if it was not remembered. If the list ended before
   * the page, those of the last pages: the next jump beyond the end need not read the whole list again.
   */
  get starts(): readonly PageStart<Row>[] {
    return this.#starts.filter(({ page }) => page <= this.#page || this.isFull);
  }
}
