import { randomInt } from 'node:crypto';

/**
 * A counter that everybody adds to is spread over several items, so that no two transactions have to meet on one. An
 * instance keeps to its shard for as long as it meets nobody there: that takes fewer attempts than drawing anew each time.
 */
export class CounterShards {
  readonly names: readonly string[];
  #chosen: string | undefined;

  /** The letter tells apart what is counted in the same event. */
  constructor(letter: string, count: number) {
    this.names = Array.from({ length: count }, (_, index) => `${letter}${index}`);
  }

  /** The shard to add to, at this attempt of a transaction: after a conflict another one than before. */
  choose(attempt: number): string {
    const others = this.names.filter((name) => name !== this.#chosen);
    if (this.#chosen === undefined || attempt > 1) this.#chosen = others[randomInt(others.length)];
    return this.#chosen ?? '';
  }

  /** Where figures that are put, not added, have their place: generated data. */
  get first(): string {
    return this.names[0] ?? '';
  }
}
