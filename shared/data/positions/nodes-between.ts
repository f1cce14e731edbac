import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import type { Table } from '../table/table.ts';
import { readNodesOf } from './read-nodes.ts';
import type { TreeList } from './stored.ts';
import { type Child, type Inner, isLeaf, lowerBound, type TreeNode } from './tree.ts';
import { rootId } from './tree-editor.ts';

/** The keys from `from` on that are lower than `to`, or some keys in their order; without a bound there is none. */
type KeyRange = { readonly from?: string; readonly to?: string | undefined } | { readonly keys: readonly string[] };

/** A node of a tree, and what its parent says about it. The root has no parent. */
export interface FoundNode {
  readonly id: number;
  readonly node: TreeNode;
  readonly inParent: Child | undefined;
}

interface WantedNodes {
  readonly version: number | undefined;
  readonly range: KeyRange;
  /** Only the first leaves, so that a long list is read in parts. */
  readonly maxLeaves?: number;
}

/**
 * Reads the nodes of a tree that lead to keys, level by level, and the leaves that have them. Each node has the
 * version that its parent names; otherwise it throws TreeChanged.
 */
export async function nodesBetween(
  table: Table,
  tree: TreeList,
  { version, range, maxLeaves }: WantedNodes,
): Promise<readonly FoundNode[]> {
  if (version === undefined) return [];
  const found: FoundNode[] = [];
  let level = [{ id: rootId, version, inParent: undefined as Child | undefined }];
  while (level.length > 0) {
    const nodes = await readNodesOf(table, tree, level);
    found.push(...level.map(({ id, inParent }, index) => ({ id, node: nodeAt(nodes, index), inParent })));
    const children = nodes.flatMap((node) => (isLeaf(node) ? [] : childrenIn(node, range)));
    // Every child has at least one leaf.
    level = children.slice(0, maxLeaves).map((child) => ({ ...child, inParent: child }));
  }
  return found;
}

function nodeAt(nodes: readonly TreeNode[], index: number): TreeNode {
  const node = nodes[index];
  if (node === undefined) throw new Error('A node of a position tree was not read.');
  return node;
}

function childrenIn({ children }: Inner, range: KeyRange): readonly Child[] {
  return children.filter(({ first }, index) => {
    const end = children[index + 1]?.first;
    if ('keys' in range) {
      const next = end === undefined ? range.keys.length : lowerBound(range.keys, end);
      return lowerBound(range.keys, first) < next;
    }
    const { from, to } = range;
    const endsBefore = from !== undefined && end !== undefined && compareSortKeys(end, from) <= 0;
    return !endsBefore && (to === undefined || compareSortKeys(first, to) < 0);
  });
}
