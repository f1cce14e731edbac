import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import type { PositionChange } from './change.ts';
import { type Child, childIndex, countOf, type Inner, isLeaf, lowerBound, type TreeNode } from './tree.ts';

/** Keys that the list has and its tree does not have yet, and keys that only the tree has. Both are sorted. */
export interface KeyDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What changes mean for one list. Their order does not matter: a key that was added and removed cancels out. */
export function differenceOf(changes: readonly PositionChange[], list: string): KeyDifference {
  const balance = new Map<string, number>();
  const note = (key: string | undefined, step: 1 | -1): void => {
    if (key !== undefined) balance.set(key, (balance.get(key) ?? 0) + step);
  };
  for (const { added, removed } of changes) {
    note(added[list], 1);
    note(removed[list], -1);
  }
  const keysWith = (sign: number): string[] =>
    [...balance].flatMap(([key, sum]) => (Math.sign(sum) === sign ? key : [])).sort(compareSortKeys);
  return { added: keysWith(1), removed: keysWith(-1) };
}

/** The difference for the list without some of its keys: they are not added, or they are removed. */
export function withoutKeys({ added, removed }: KeyDifference, keys: readonly string[]): KeyDifference {
  if (keys.length === 0) return { added, removed };
  const [left, known] = [new Set(keys), new Set(added)];
  return {
    added: added.filter((key) => !left.has(key)),
    removed: [...new Set([...removed, ...keys.filter((key) => !known.has(key))])].sort(compareSortKeys),
  };
}

/** The positions of the keys of a list: those of its tree, corrected by the changes that the tree does not contain yet. */
export class ListPositions {
  readonly #root: TreeNode;
  readonly #difference: KeyDifference;
  readonly #read: (child: Child) => Promise<TreeNode>;

  constructor(root: TreeNode, difference: KeyDifference, read: (child: Child) => Promise<TreeNode>) {
    this.#root = root;
    this.#difference = difference;
    this.#read = read;
  }

  get count(): number {
    return correctedCount(countOf(this.#root), this.#difference);
  }

  /** Returns the key that this many keys precede; undefined if the list has fewer keys. */
  async keyAt(index: number): Promise<string | undefined> {
    let [node, difference, left] = [this.#root, this.#difference, index];
    while (!isLeaf(node)) {
      const found = childAt(node, difference, left);
      if (found === undefined) return undefined;
      ({ difference, left } = found);
      node = await this.#read(found.child);
    }
    const removed = new Set(difference.removed);
    const keys = [...node.keys.filter((key) => !removed.has(key)), ...difference.added].sort(compareSortKeys);
    return keys[left];
  }

  /** Returns how many keys are lower than this one. */
  async rankOf(key: string): Promise<number> {
    const { added, removed } = this.#difference;
    let rank = lowerBound(added, key) - lowerBound(removed, key);
    let node = this.#root;
    while (!isLeaf(node)) {
      const index = childIndex(node.children, key);
      const child = node.children[index];
      if (child === undefined) return rank;
      rank += node.children.slice(0, index).reduce((sum, { count }) => sum + count, 0);
      node = await this.#read(child);
    }
    return rank + lowerBound(node.keys, key);
  }
}

function correctedCount(count: number, { added, removed }: KeyDifference): number {
  return count + added.length - removed.length;
}

interface FoundChild {
  readonly child: Child;
  readonly difference: KeyDifference;
  readonly left: number;
}

/** Finds the child that has the key at an index, and what is left of the index within it. */
function childAt({ children }: Inner, difference: KeyDifference, index: number): FoundChild | undefined {
  let left = index;
  for (const [position, child] of children.entries()) {
    const own = differenceBetween(difference, position === 0 ? undefined : child.first, children[position + 1]?.first);
    const count = correctedCount(child.count, own);
    if (left < count) return { child, difference: own, left };
    left -= count;
  }
  return undefined;
}

function differenceBetween(
  { added, removed }: KeyDifference,
  from: string | undefined,
  to: string | undefined,
): KeyDifference {
  const part = (keys: readonly string[]): readonly string[] =>
    keys.slice(from === undefined ? 0 : lowerBound(keys, from), to === undefined ? keys.length : lowerBound(keys, to));
  return { added: part(added), removed: part(removed) };
}
