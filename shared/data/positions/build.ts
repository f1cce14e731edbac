import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import type { ItemKey } from '../table/keys.ts';
import { keysIn, type RowKeys } from './change.ts';
import { countOf, firstOf, isFilled, nameOf, rootName, type TreeNode } from './tree/node.ts';
import { nodeItem, stateItem, type Trees } from './tree/stored.ts';

type Item = ItemKey & Readonly<Record<string, unknown>>;

const version = 1;

/**
 * The items of the trees of all rows of a resource, for generated data that is written into an empty table. `rows` has the keys
 * of each row.
 */
export function* builtPositionItems(trees: Trees, rows: Iterable<RowKeys>): Generator<Item> {
  const keysByList = new Map<string, string[]>();
  for (const row of rows) {
    for (const list of Object.keys(row)) {
      const known = keysByList.get(list) ?? [];
      known.push(...keysIn(row, list));
      keysByList.set(list, known);
    }
  }
  for (const [list, keys] of keysByList) {
    for (const built of builtNodes(keys.sort(compareSortKeys)))
      yield nodeItem({ ...trees, list }, { ...built, version });
  }
  if (keysByList.size === 0) return;
  const roots = Object.fromEntries([...keysByList.keys()].map((list) => [list, version]));
  yield stateItem(trees, { version, roots, applied: [] });
}

function* builtNodes(keys: readonly string[]): Generator<{ readonly name: string; readonly node: TreeNode }> {
  let nodes: readonly TreeNode[] = filledNodes(keys, (some): TreeNode => ({ keys: some }));
  for (let level = 0; nodes.length > 1; level += 1) {
    const children = nodes.map((node) => ({ first: firstOf(node), count: countOf(node), version }));
    yield* nodes.map((node) => ({ name: nameOf(level, firstOf(node)), node }));
    nodes = filledNodes(children, (some): TreeNode => ({ level: level + 1, children: some }));
  }
  const [root] = nodes;
  if (root !== undefined) yield { name: rootName, node: root };
}

/** Fills one node after the other, and leaves room in each, so the next keys do not split all of them. */
function filledNodes<Entry>(entries: readonly Entry[], nodeOf: (some: readonly Entry[]) => TreeNode): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let start = 0; start < entries.length; ) {
    let end = start + 1;
    while (end < entries.length && !isFilled(nodeOf(entries.slice(start, end + 1)))) end += 1;
    nodes.push(nodeOf(entries.slice(start, end)));
    start = end;
  }
  return nodes;
}
