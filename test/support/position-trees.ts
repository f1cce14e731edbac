import { expect } from 'vitest';
import { positionChangeItem, type SortKeys } from '../../shared/data/positions/change.ts';
import { readAllChanges } from '../../shared/data/positions/read-changes.ts';
import { readNodeOf, type Trees } from '../../shared/data/positions/stored.ts';
import { type Child, countOf, firstOf, isLeaf, isTooLarge, type TreeNode } from '../../shared/data/positions/tree.ts';
import { rootId } from '../../shared/data/positions/tree-editor.ts';
import type { PositionedResource } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';

/** The change of positions that is written with a new row. It is the same each time a row is given again. */
export function creationChange(orgId: string, resource: PositionedResource, id: number, after: SortKeys) {
  const change = positionChangeItem(orgId, resource, { id, version: 1, before: undefined, after });
  return change === undefined ? [] : [change];
}

const lastVersion = 9_999;

/** The change of positions of a row that is removed. */
export function removalChange(orgId: string, resource: PositionedResource, id: number, before: SortKeys) {
  const change = positionChangeItem(orgId, resource, { id, version: lastVersion, before, after: {} });
  return change === undefined ? [] : [change];
}

/** Reads all keys of a tree, and checks that every node says what is below it. */
export async function keysOfTree(root: TreeNode, read: (child: Child) => Promise<TreeNode>): Promise<string[]> {
  if (isLeaf(root)) {
    // Very long keys do not divide evenly.
    if (isTooLarge(root)) expect(root.keys.length).toBeLessThanOrEqual(3);
    return [...root.keys];
  }
  expect(root.children.length).toBeGreaterThan(0);
  const keys: string[] = [];
  for (const child of root.children) {
    const node = await read(child);
    expect({ first: firstOf(node), count: countOf(node) }).toEqual({ first: child.first, count: child.count });
    const below = await keysOfTree(node, read);
    expect(below.length).toBe(child.count);
    keys.push(...below);
  }
  return keys;
}

/** The keys of a list's tree in the table, without the changes that are not applied yet. */
export async function storedTreeKeys(table: Table, trees: Trees, list: string): Promise<string[]> {
  const { state } = await readAllChanges(table, trees);
  const version = state.roots[list];
  if (version === undefined) return [];
  const read = (child: Pick<Child, 'id' | 'version'>) =>
    readNodeOf(table, trees, { list, ...child }, { consistent: true });
  return keysOfTree(await read({ id: rootId, version }), read);
}
