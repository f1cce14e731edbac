import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import type { ItemKey } from '../table/keys.ts';
import type { SortKeys } from './change.ts';
import { nodeItem, stateItem, type Trees } from './stored.ts';
import { type Child, countOf, firstOf, isFilled, type TreeNode } from './tree.ts';
import { rootId } from './tree-editor.ts';

type Item = ItemKey & Readonly<Record<string, unknown>>;

const version = 1;

/**
 * The items of the trees of all rows of a resource, for generated data that is written into an empty table. `sortKeys` has an
 * entry for each row.
 */
export function* builtPositionItems(trees: Trees, sortKeys: Iterable<SortKeys>): Generator<Item> {
  const keysByList = new Map<string, string[]>();
  for (const keys of sortKeys) {
    for (const [list, key] of Object.entries(keys)) {
      const known = keysByList.get(list);
      if (known === undefined) keysByList.set(list, [key]);
      else known.push(key);
    }
  }
  let nextId = rootId + 1;
  const newId = (): number => {
    nextId += 1;
    return nextId - 1;
  };
  for (const [list, keys] of keysByList) {
    for (const { id, node } of builtNodes(keys.sort(compareSortKeys), newId)) {
      yield nodeItem(trees, { list, id }, { node, version });
    }
  }
  if (keysByList.size === 0) return;
  const roots = Object.fromEntries([...keysByList.keys()].map((list) => [list, version]));
  yield stateItem(trees, { version, nextId, roots, applied: [] });
}

interface BuiltNode {
  readonly id: number;
  readonly node: TreeNode;
}

function* builtNodes(keys: readonly string[], newId: () => number): Generator<BuiltNode> {
  let level: readonly TreeNode[] = filledNodes(keys, (some): TreeNode => ({ keys: some }));
  while (level.length > 1) {
    const children: Child[] = [];
    for (const node of level) {
      const id = newId();
      children.push({ id, first: firstOf(node), count: countOf(node), version });
      yield { id, node };
    }
    level = filledNodes(children, (some): TreeNode => ({ children: some }));
  }
  const [root] = level;
  if (root !== undefined) yield { id: rootId, node: root };
}

/** Fills one node after the other, and leaves room in each, so that the next keys do not split all of them. */
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
