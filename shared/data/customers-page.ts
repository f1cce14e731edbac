import type { CustomerRecord } from '../domain/customer-record.ts';

/**
 * The part of a list that a page shows, while the list goes by in its order: so many rows are passed over, then the page is
 * taken, and one row more tells whether there is another page. Nothing else is kept, however far away the page is.
 */
export class PageWindow {
  readonly #firstPage: number;
  readonly #page: number;
  readonly #limit: number;
  #seen = 0;
  readonly #taken: CustomerRecord[] = [];
  #lastOfPage: { readonly page: number; readonly customer: CustomerRecord } | undefined;

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

  get isFull(): boolean {
    return this.missing <= 0;
  }

  show(rows: readonly CustomerRecord[]): void {
    for (const customer of rows) {
      if (this.isFull) return;
      const page = this.#firstPage + Math.floor(this.#seen / this.#limit);
      this.#seen += 1;
      if (page === this.#page) this.#taken.push(customer);
      if (page <= this.#page && this.#seen % this.#limit === 0) this.#lastOfPage = { page, customer };
    }
  }

  get customers(): readonly CustomerRecord[] {
    return this.#taken;
  }

  /** The farthest page that is known to begin somewhere, and the row it begins after. */
  get farthest(): { readonly page: number; readonly after: CustomerRecord } | undefined {
    return this.#lastOfPage && { page: this.#lastOfPage.page + 1, after: this.#lastOfPage.customer };
  }
}
