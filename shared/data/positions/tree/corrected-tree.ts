import { compareSortKeys } from '../../lists/compare-sort-keys.ts';
import { keysIn, type PositionChange } from '../change.ts';
import {
  type Child,
  childIndex,
  countOf,
  emptyTree,
  firstOf,
  type Inner,
  isLeaf,
  type Leaf,
  levelOf,
  lowerBound,
  type TreeNode,
} from './node.ts';

/** Keys that the list has and its tree does not have yet, and keys that only the tree has. Both are sorted. */
export interface KeyDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What changes mean for one list. Their order does not matter: a key that was added and removed cancels out. */
export function differenceOf(changes: readonly PositionChange[], list: string): KeyDifference {
  const balance = new Map<string, number>();
  const note = (keys: readonly string[], step: 1 | -1): void => {
    for (const key of keys) balance.set(key, (balance.get(key) ?? 0) + step);
  };
  for (const { added, removed } of changes) {
    note(keysIn(added, list), 1);
    note(keysIn(removed, list), -1);
  }
  const keysWith = (sign: number): string[] =>
    [...balance].flatMap(([key, sum]) => (Math.sign(sum) === sign ? key : [])).sort(compareSortKeys);
  return { added: keysWith(1), removed: keysWith(-1) };
}

/** Reads children of nodes of one level. They are neighbours. */
export type ReadChildren = (level: number, children: readonly Child[]) => Promise<readonly TreeNode[]>;

/** The keys of a list and their positions: those of its tree, corrected by the changes that the tree does not contain yet. */
export class CorrectedTree {
  readonly #root: TreeNode;
  readonly #difference: KeyDifference;
  readonly #read: ReadChildren;

  constructor(root: TreeNode, difference: KeyDifference, read: ReadChildren) {
    this.#root = root;
    this.#difference = difference;
    this.#read = read;
  }

  get count(): number {
    return correctedCount(countOf(this.#root), this.#difference);
  }

  /** Returns the keys from an index on that are before another index, in their order; fewer if the list ends before it. */
  async keysBetween(from: number, to: number): Promise<readonly string[]> {
    if (from >= to) return [];
    let parts: readonly Part[] = [{ node: this.#root, difference: this.#difference, from, to }];
    for (let level = levelOf(this.#root) - 1; level >= 0; level -= 1) {
      const below = parts.flatMap(partsBelow);
      const nodes = await this.#read(
        level,
        below.map(({ child }) => child),
      );
      parts = below.map((part, index) => ({ ...part, node: nodes[index] ?? emptyTree }));
    }
    return parts.flatMap((part) => (isLeaf(part.node) ? keysOf(part.node, part) : []));
  }

  /** Returns how many keys are lower than this one. */
  async rankOf(key: string): Promise<number> {
    const { added, removed } = this.#difference;
    let rank = lowerBound(added, key) - lowerBound(removed, key);
    let node = this.#root;
    for (let level = levelOf(this.#root) - 1; !isLeaf(node) && level >= 0; level -= 1) {
      const index = childIndex(node.children, key);
      const child = node.children[index];
      if (child === undefined) return rank;
      rank += node.children.slice(0, index).reduce((sum, { count }) => sum + count, 0);
      node = (await this.#read(level, [child]))[0] ?? emptyTree;
    }
    return isLeaf(node) ? rank + lowerBound(node.keys, key) : rank;
  }

  /** Compares what nodes say about the nodes below them, on the way to the keys of a range. */
  async wrongNodes(range: KeyRange): Promise<readonly string[]> {
    const problems: string[] = [];
    let nodes: readonly TreeNode[] = [this.#root];
    for (let level = levelOf(this.#root) - 1; level >= 0; level -= 1) {
      const children = nodes.flatMap((node) => (isLeaf(node) ? [] : childrenIn(node, range)));
      nodes = await this.#read(level, children);
      problems.push(...nodes.flatMap((node, index) => wrongChild(level, node, children[index]) ?? []));
    }
    return problems;
  }
}

/** Both inclusive; without a bound there is none. */
interface KeyRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

function childrenIn({ children }: Inner, { from, to }: KeyRange): readonly Child[] {
  return children.filter(({ first }, index) => {
    const end = children[index + 1]?.first;
    const endsBefore = from !== undefined && end !== undefined && compareSortKeys(end, from) <= 0;
    return !endsBefore && (to === undefined || compareSortKeys(first, to) <= 0);
  });
}

/** It names no key: keys contain names and email addresses. */
function wrongChild(level: number, node: TreeNode, inParent: Child | undefined): string | undefined {
  const count = countOf(node);
  if (count !== inParent?.count)
    return `A node of level ${level} has ${count} keys, its parent says ${inParent?.count}.`;
  return firstOf(node) === inParent.first ? undefined : `The first key of a node of level ${level} is not its name.`;
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

/** The children that have keys between the two indexes, and what is left of the indexes within each. */
function partsBelow({ node, difference, from, to }: Part) {
  const children = isLeaf(node) ? [] : node.children;
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
