import { compareSortKeys } from '../../lists/compare-sort-keys.ts';

/**
 * An order-statistic tree over the keys of a list: each inner node holds the number of keys below each of its children, so
 * the key at a position, and the position of a key, are found by reading one node of each level.
 */
export type TreeNode = Leaf | Inner;

/** Keys in their order. */
export interface Leaf {
  readonly keys: readonly string[];
}

export interface Inner {
  /** How many levels of nodes are below it. */
  readonly level: number;
  readonly children: readonly Child[];
}

/** What a node knows about one of its children. */
export interface Child {
  /** The first key below the child. It is exact, so no key of a removed row stays in the tree. */
  readonly first: string;
  readonly count: number;
  /** The version at which the child was written last. A child that is read with another version belongs to another tree. */
  readonly version: number;
}

/**
 * The name under which a node is stored: its level and its first key. Neighbours in the tree are therefore neighbours in the
 * table, and one Query reads them. The root has a name of its own.
 */
export const nameOf = (level: number, first: string): string => `${level}#${first}`;
export const rootName = 'root';

export const emptyTree: Leaf = { keys: [] };

export const isLeaf = (node: TreeNode): node is Leaf => 'keys' in node;
export const levelOf = (node: TreeNode): number => (isLeaf(node) ? 0 : node.level);

export function countOf(node: TreeNode): number {
  return isLeaf(node) ? node.keys.length : node.children.reduce((sum, { count }) => sum + count, 0);
}

export function firstOf(node: TreeNode): string {
  return (isLeaf(node) ? node.keys[0] : node.children[0]?.first) ?? '';
}

/** A leaf is written with one write unit and an inner node with two, with its name, outside a transaction. */
const maxBytes = { leaf: 860, inner: 1_860 } as const;
/** Names, types and numbers of an entry, rounded up. */
const entryBytes = { leaf: 1, inner: 24 } as const;

const bytesOfKeys = (keys: readonly string[]): number =>
  keys.reduce((sum, key) => sum + Buffer.byteLength(key) + entryBytes.leaf, 0);
const bytesOfChildren = (children: readonly Child[]): number =>
  children.reduce((sum, { first }) => sum + Buffer.byteLength(first) + entryBytes.inner, 0);

const bytesOf = (node: TreeNode): number => (isLeaf(node) ? bytesOfKeys(node.keys) : bytesOfChildren(node.children));
const maxBytesOf = (node: TreeNode): number => (isLeaf(node) ? maxBytes.leaf : maxBytes.inner);
export const isTooLarge = (node: TreeNode): boolean => bytesOf(node) > maxBytesOf(node);
/**
 * A node that became this small is merged with a neighbour, if both fit into one node with room for more keys. A third, because a
 * split leaves two halves: with a limit of half, removals would often read a neighbour that does not fit.
 */
export const isSmall = (node: TreeNode): boolean => bytesOf(node) < maxBytesOf(node) / 3;
/** A fifth of a leaf is room for about four keys, so the next ones do not split a node that was just merged or generated. */
const roomyShare = 0.8;
/** Whether the node has no room for a few more keys. */
export const isFilled = (node: TreeNode): boolean => bytesOf(node) > roomyShare * maxBytesOf(node);

/** Returns two neighbours as one node; undefined if they do not fit into one. */
export function mergedNode(left: TreeNode, right: TreeNode): TreeNode | undefined {
  const merged = joined(left, right);
  return merged === undefined || isFilled(merged) ? undefined : merged;
}

function joined(left: TreeNode, right: TreeNode): TreeNode | undefined {
  if (isLeaf(left) && isLeaf(right)) return { keys: [...left.keys, ...right.keys] };
  if (isLeaf(left) || isLeaf(right)) return undefined;
  return { level: left.level, children: [...left.children, ...right.children] };
}

/** Splits a node that is too large. Where keys are appended, the left node stays full; elsewhere both get half of the bytes. */
export function splitNode(node: TreeNode, isAppended: boolean): readonly [TreeNode, TreeNode] {
  const sizes = isLeaf(node)
    ? node.keys.map((key) => bytesOfKeys([key]))
    : node.children.map((child) => bytesOfChildren([child]));
  const at = isAppended ? sizes.length - 1 : middleOf(sizes);
  return isLeaf(node)
    ? [{ keys: node.keys.slice(0, at) }, { keys: node.keys.slice(at) }]
    : [
        { ...node, children: node.children.slice(0, at) },
        { ...node, children: node.children.slice(at) },
      ];
}

/** The index at which the larger of the two parts is smallest. */
function middleOf(sizes: readonly number[]): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let [sum, best, at] = [0, Number.POSITIVE_INFINITY, 1];
  for (const [index, size] of sizes.slice(0, -1).entries()) {
    sum += size;
    const larger = Math.max(sum, total - sum);
    if (larger < best) [best, at] = [larger, index + 1];
  }
  return at;
}

/** The index of the first key that is not lower than `key`. */
export function lowerBound(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareSortKeys(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the child that has the key, or would have it. */
export function childIndex(children: readonly Child[], key: string): number {
  const firsts = children.map(({ first }) => first);
  const index = lowerBound(firsts, key);
  return firsts[index] === key ? index : Math.max(0, index - 1);
}
