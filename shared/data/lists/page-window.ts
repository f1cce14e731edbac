/** Where a page begins: after this row. */
export interface PageStart<Row> {
  readonly page: number;
  readonly after: Row;
}

/**
 * The part of a list that a page shows, while the list goes by in its order: so many rows are passed over, then the page is
 * taken, and one row more tells whether there is another page. Nothing else is kept, however far away the page is.
 */
export class PageWindow<Row> {
  readonly #firstPage: number;
  readonly #page: number;
  readonly #limit: number;
  readonly #taken: Row[] = [];
  #seen = 0;
  #starts: PageStart<Row>[] = [];

  /** The list begins with the first row of `firstPage`. */
  constructor(firstPage: number, page: number, limit: number) {
    this.#firstPage = firstPage;
    this.#page = page;
    this.#limit = limit;
  }

  /** How many rows are still missing. */
  get missing(): number {
    return (this.#page - this.#firstPage + 1) * this.#limit + 1 - this.#seen;
  }

  /** Full: the page is there, and there is another one after it. */
  get isFull(): boolean {
    return this.missing <= 0;
  }

  show(rows: readonly Row[]): void {
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
   * The starts worth remembering: of the next page, and of this one if nobody had led to it. Where the list ended before
   * the page, those of its last pages: the next one who jumps too far need not read it all again.
   */
  get starts(): readonly PageStart<Row>[] {
    return this.#starts.filter(({ page }) => page <= this.#page || this.isFull);
  }
}
