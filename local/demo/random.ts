import { seededRandom } from '../cloud/dynamodb/physics/random.ts';

/** Random choices that a seed determines, so the demo is the same on every machine. */
export class DemoRandom {
  /** From 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** The made value with this probability, otherwise null. */
  maybe<Made>(probability: number, make: () => Made): Made | null {
    return this.chance(probability) ? make() : null;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  /** One of the items, with a probability in proportion to its weight. */
  weighted<Item extends { readonly weight: number }>(items: readonly [Item, ...Item[]]): Item {
    let left = this.next() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return items[0];
  }
}
