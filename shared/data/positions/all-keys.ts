import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { positionNodeKey } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { differenceOf } from './list-positions.ts';
import { checkUnchanged } from './locate.ts';
import { nodesBetween } from './nodes-between.ts';
import { readAllChanges } from './read-changes.ts';
import { parseNode, readNodeOf, type StoredNode, TreeChanged, type TreeList, type Trees } from './stored.ts';
import { isLeaf } from './tree.ts';
import { rootId } from './tree-editor.ts';

const maxAttempts = 4;
const maxPauseMs = 50;

/**
 * Returns all sort keys of a list in no particular order: the nodes of its tree, read with few Queries, about 5 read units for
 * 1,000 keys, and the changes that the tree does not contain yet. If the trees change at the same time, it begins again. If they
 * change each time, so do the rows of the list, and the keys that were read last are good enough.
 */
export async function allKeys(table: Table, trees: Trees, list: string): Promise<ReadonlySet<string>> {
  for (let attempt = 1; ; attempt += 1) {
    const { state, pending } = await readAllChanges(table, trees);
    const nodes = await readNodes(table, trees, list);
    try {
      const keys = await keysBelowRoot(table, trees, { list, version: state.roots[list] }, nodes);
      await checkUnchanged(table, trees, state.version);
      return withChanges(keys, differenceOf(pending, list));
    } catch (error) {
      if (!(error instanceof TreeChanged)) throw error;
      if (attempt === maxAttempts) return withChanges(keysOf([...nodes.values()]), differenceOf(pending, list));
      await sleep(randomInt(1, maxPauseMs));
    }
  }
}

/**
 * Returns the sort keys of a list from a key on, in no particular order: the inner nodes that lead to them, then their leaves.
 * If the trees change each time, it reads all of them.
 */
export async function keysFrom(table: Table, wanted: TreeList, from: string): Promise<readonly string[]> {
  const { list } = wanted;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      const { state, pending } = await readAllChanges(table, wanted);
      const parts = await nodesBetween(table, wanted, { version: state.roots[list], range: { from } });
      await checkUnchanged(table, wanted, state.version);
      const keys = withChanges(
        new Set(parts.flatMap(({ node }) => (isLeaf(node) ? node.keys : []))),
        differenceOf(pending, list),
      );
      return [...keys].filter((key) => key >= from);
    } catch (error) {
      if (!(error instanceof TreeChanged)) throw error;
      await sleep(randomInt(1, maxPauseMs));
    }
  }
  return [...(await allKeys(table, wanted, list))].filter((key) => key >= from);
}

async function readNodes(table: Table, { orgId, resource }: Trees, list: string): Promise<Map<number, StoredNode>> {
  const { pk, sk } = positionNodeKey(orgId, resource, list, rootId);
  const prefix = sk.slice(0, sk.lastIndexOf('#') + 1);
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  });
  const nodes = new Map<number, StoredNode>();
  for await (const page of pages) {
    for (const item of page) nodes.set(Number(String(item.sk).slice(prefix.length)), parseNode(item));
  }
  return nodes;
}

/** A node whose version is not the one that its parent names is read again. */
async function keysBelowRoot(
  table: Table,
  trees: Trees,
  { list, version }: { readonly list: string; readonly version: number | undefined },
  nodes: ReadonlyMap<number, StoredNode>,
): Promise<Set<string>> {
  const keys = new Set<string>();
  const wanted = version === undefined ? [] : [{ id: rootId, version }];
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    const known = nodes.get(next.id);
    const node = known?.version === next.version ? known.node : await readNodeOf(table, trees, { list, ...next });
    if (isLeaf(node)) for (const key of node.keys) keys.add(key);
    else wanted.push(...node.children);
  }
  return keys;
}

function keysOf(nodes: readonly StoredNode[]): Set<string> {
  return new Set(nodes.flatMap(({ node }) => (isLeaf(node) ? node.keys : [])));
}

function withChanges(keys: Set<string>, { added, removed }: ReturnType<typeof differenceOf>): ReadonlySet<string> {
  for (const key of removed) keys.delete(key);
  for (const key of added) keys.add(key);
  return keys;
}
