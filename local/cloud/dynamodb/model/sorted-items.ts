import { compareSortKeys } from './compare-sort-keys.ts';
import type { Item } from './values.ts';

/** Where an item is in its partition. Two items of an index may have the same sort key: the key of the table then decides. */
export interface Position {
  readonly sortKey: string;
  readonly tie: string;
}

interface Entry extends Position {
  readonly item: Item;
}

/** The items of one partition, in the order of their sort keys. */
export class SortedItems {
  readonly #entries: Entry[] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  get(position: Position): Item | undefined {
    const entry = this.#entries[this.#find(position)];
    return entry !== undefined && compare(entry, position) === 0 ? entry.item : undefined;
  }

  put(position: Position, item: Item): void {
    const index = this.#find(position);
    const entry = this.#entries[index];
    const isReplaced = entry !== undefined && compare(entry, position) === 0;
    this.#entries.splice(index, isReplaced ? 1 : 0, { ...position, item });
  }

  delete(position: Position): void {
    const index = this.#find(position);
    const entry = this.#entries[index];
    if (entry !== undefined && compare(entry, position) === 0) this.#entries.splice(index, 1);
  }

  /** Yields the items between the two bounds, from one end or the other, after an optional position. */
  *range(
    { isBelow, isAbove }: { isBelow(sortKey: string): boolean; isAbove(sortKey: string): boolean },
    isForward: boolean,
    after?: Position,
  ): Generator<Entry> {
    let start = this.#search((entry) => isBelow(entry.sortKey));
    let end = this.#search((entry) => !isAbove(entry.sortKey));
    if (after !== undefined) {
      if (isForward)
        start = Math.max(
          start,
          this.#search((entry) => compare(entry, after) <= 0),
        );
      else
        end = Math.min(
          end,
          this.#search((entry) => compare(entry, after) < 0),
        );
    }
    for (let index = 0; index < end - start; index += 1) {
      const entry = this.#entries[isForward ? start + index : end - 1 - index];
      if (entry !== undefined) yield entry;
    }
  }

  #find(position: Position): number {
    const last = this.#entries.at(-1);
    // Most partitions that grow do so at their end.
    if (last !== undefined && compare(last, position) < 0) return this.#entries.length;
    return this.#search((entry) => compare(entry, position) < 0);
  }

  /** The number of entries at the beginning that match. They must come before all that do not. */
  #search(isBefore: (entry: Entry) => boolean): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.#entries[middle];
      if (entry !== undefined && isBefore(entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compare(one: Position, other: Position): number {
  return compareSortKeys(one.sortKey, other.sortKey) || compareSortKeys(one.tie, other.tie);
}
