import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type ItemKey, type PositionedResource, positionNodeKey, positionStateKey } from '../table/keys.ts';
import { row } from '../table/row.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import { type Child, isLeaf, type TreeNode } from './tree.ts';

/** The position trees of a resource of an organisation: one tree for each of its lists. */
export interface Trees {
  readonly orgId: string;
  readonly resource: PositionedResource;
}

/** A list with a position tree. */
export interface TreeList extends Trees {
  readonly list: string;
}

/** The state of the trees, which every change of them writes on the condition that it has not changed. */
export interface TreesState {
  readonly version: number;
  readonly nextId: number;
  /** The version of the root of each list. */
  readonly roots: Readonly<Record<string, number>>;
  /** The sort keys of changes that the trees contain, although the changes may still exist. */
  readonly applied: readonly string[];
}

export const noTrees: TreesState = { version: 0, nextId: 1, roots: {}, applied: [] };

const State = row({
  version: v.number(),
  nextId: v.number(),
  roots: v.record(v.string(), v.number()),
  applied: v.array(v.string()),
});

export function parseState(item: unknown): TreesState {
  return v.parse(State, item);
}

export function stateItem({ orgId, resource }: Trees, state: TreesState): ItemKey & Readonly<Record<string, unknown>> {
  return { ...positionStateKey(orgId, resource), ...state };
}

/** The items are read often and rewritten often, so their names are short and entries have no names. */
const Node = v.object({
  v: v.number(),
  /** The keys of a leaf. */
  k: v.optional(v.array(v.string())),
  /** The children of an inner node: id, first key, count, version. */
  c: v.optional(v.array(v.tuple([v.number(), v.string(), v.number(), v.number()]))),
});

export interface StoredNode {
  readonly node: TreeNode;
  readonly version: number;
}

export function nodeItem(
  { orgId, resource }: Trees,
  { list, id }: { readonly list: string; readonly id: number },
  { node, version }: StoredNode,
): ItemKey & Readonly<Record<string, unknown>> {
  const content = isLeaf(node) ? { k: node.keys } : { c: node.children.map(entryOf) };
  return { ...positionNodeKey(orgId, resource, list, id), v: version, ...content };
}

const entryOf = ({ id, first, count, version }: Child) => [id, first, count, version] as const;

export function parseNode(item: unknown): StoredNode {
  const { v: version, k, c = [] } = v.parse(Node, item);
  if (k !== undefined) return { node: { keys: k }, version };
  const children = c.map(([id, first, count, written]) => ({ id, first, count, version: written }));
  return { node: { children }, version };
}

export async function readNode(
  table: Table,
  { orgId, resource }: Trees,
  { list, id }: { readonly list: string; readonly id: number },
  { consistent = false }: ReadOptions = {},
): Promise<StoredNode | undefined> {
  const Key = positionNodeKey(orgId, resource, list, id);
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: consistent }));
  return Item === undefined ? undefined : parseNode(Item);
}

/** A node was read that belongs to an older or newer tree: the trees were changed at the same time. Begin again. */
export class TreeChanged extends Error {
  override readonly name = 'TreeChanged';
}

/** Reads a node that must have a version. An eventually consistent read may return an older one. */
export async function readNodeOf(
  table: Table,
  trees: Trees,
  { list, id, version }: { readonly list: string; readonly id: number; readonly version: number },
  options: ReadOptions = {},
): Promise<TreeNode> {
  const stored = await readNode(table, trees, { list, id }, options);
  if (stored?.version === version) return stored.node;
  if (options.consistent === true)
    throw new TreeChanged(`Node ${id} of the list ${list} does not have version ${version}.`);
  return readNodeOf(table, trees, { list, id, version }, { consistent: true });
}
