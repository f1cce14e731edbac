/** A list of work to which more can be added while it is done. At most `concurrency` items are worked on at once. */
export class WorkList<Item> {
  readonly #concurrency: number;
  readonly #isTimeLeft: () => boolean;
  readonly #work: (item: Item) => Promise<void>;
  readonly #waiting: Item[] = [];
  readonly #workers = new Set<Promise<void>>();
  #active = 0;

  /** The work must not throw. No item is begun once the time is over. */
  constructor(concurrency: number, isTimeLeft: () => boolean, work: (item: Item) => Promise<void>) {
    this.#concurrency = concurrency;
    this.#isTimeLeft = isTimeLeft;
    this.#work = work;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#active >= this.#concurrency) return;
    const worker = this.#drain().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  /** Resolves when everything that was added is done, or the time is over. */
  async settled(): Promise<void> {
    while (this.#active > 0) await Promise.all(this.#workers);
  }

  async #drain(): Promise<void> {
    this.#active += 1;
    try {
      while (this.#isTimeLeft()) {
        const item = this.#waiting.shift();
        if (item === undefined) return;
        await this.#work(item);
      }
    } finally {
      // Counted here and not when the promise has resolved: an item that is added in between needs a new worker.
      this.#active -= 1;
    }
  }
}
