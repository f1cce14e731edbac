import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import type { PositionChange } from './change.ts';
import {
  type Child,
  childIndex,
  countOf,
  emptyTree,
  type Inner,
  isLeaf,
  type Leaf,
  lowerBound,
  type TreeNode,
} from './tree.ts';

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

/** The positions of the keys of a list: those of its tree, corrected by the changes that the tree does not contain yet. */
export class ListPositions {
  readonly #root: TreeNode;
  readonly #difference: KeyDifference;
  readonly #read: (children: readonly Child[]) => Promise<readonly TreeNode[]>;

  constructor(
    root: TreeNode,
    difference: KeyDifference,
    read: (children: readonly Child[]) => Promise<readonly TreeNode[]>,
  ) {
    this.#root = root;
    this.#difference = difference;
    this.#read = read;
  }

  get count(): number {
    return correctedCount(countOf(this.#root), this.#difference);
  }

  /** Returns the keys from an index on that are before another index, in their order; fewer if the list ends before it. */
  async keysBetween(from: number, to: number): Promise<readonly string[]> {
    let parts: readonly Part[] = [{ node: this.#root, difference: this.#difference, from, to }];
    // All leaves are on the same level.
    for (let inner = innerParts(parts); inner.length > 0; inner = innerParts(parts)) {
      const below = inner.flatMap(partsBelow);
      const nodes = await this.#read(below.map(({ child }) => child));
      parts = below.map((part, index) => ({ ...part, node: nodes[index] ?? emptyTree }));
    }
    return parts.flatMap((part) => (isLeaf(part.node) ? keysOf(part.node, part) : []));
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
      node = (await this.#read([child]))[0] ?? emptyTree;
    }
    return rank + lowerBound(node.keys, key);
  }
}

function correctedCount(count: number, { added, removed }: KeyDifference): number {
  return count + added.length - removed.length;
}

/** The keys between two indexes of a part of the list, and what the waiting changes mean for that part. */
interface KeyWindow {
  readonly difference: KeyDifference;
  readonly from: number;
  readonly to: number;
}

interface Part extends KeyWindow {
  readonly node: TreeNode;
}

const innerParts = (parts: readonly Part[]): readonly (KeyWindow & { readonly node: Inner })[] =>
  parts.flatMap(({ node, ...window }) => (isLeaf(node) ? [] : { node, ...window }));

/** The children that have keys between the two indexes, and what is left of the indexes within each. */
function partsBelow({ node: { children }, difference, from, to }: KeyWindow & { readonly node: Inner }) {
  const parts: (KeyWindow & { readonly child: Child })[] = [];
  let start = 0;
  for (const [position, child] of children.entries()) {
    const own = differenceBetween(difference, position === 0 ? undefined : child.first, children[position + 1]?.first);
    const count = correctedCount(child.count, own);
    if (start < to && start + count > from) {
      parts.push({ child, difference: own, from: Math.max(0, from - start), to: to - start });
    }
    start += count;
  }
  return parts;
}

function keysOf({ keys }: Leaf, { difference, from, to }: KeyWindow): readonly string[] {
  const removed = new Set(difference.removed);
  return [...keys.filter((key) => !removed.has(key)), ...difference.added].sort(compareSortKeys).slice(from, to);
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
