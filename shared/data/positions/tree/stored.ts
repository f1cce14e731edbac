import * as v from 'valibot';
import { type ItemKey, type PositionedResource, positionNodeKey, positionStateKey } from '../../table/keys.ts';
import { queryPages } from '../../table/query.ts';
import { row } from '../../table/row.ts';
import type { Table } from '../../table/table.ts';
import { type Inner, isLeaf, type TreeNode } from './node.ts';

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
  /** The version of the root of each list. */
  readonly roots: Readonly<Record<string, number>>;
  /** The sort keys of changes that the trees contain, although the changes may still exist. */
  readonly applied: readonly string[];
}

export const noTrees: TreesState = { version: 0, roots: {}, applied: [] };

const State = row({
  version: v.number(),
  roots: v.record(v.string(), v.number()),
  applied: v.array(v.string()),
});

export function parseState(item: unknown): TreesState {
  return v.parse(State, item);
}

export function stateItem({ orgId, resource }: Trees, state: TreesState): ItemKey & Readonly<Record<string, unknown>> {
  return { ...positionStateKey(orgId, resource), ...state };
}

/** The condition that no other process has changed the trees since their state was read. */
export function stateUnchanged({ version }: TreesState) {
  return version === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
}

/** The items are read often and rewritten often, so their names are short and entries have no names. */
const Node = v.object({
  sk: v.string(),
  v: v.number(),
  /** The keys of a leaf. */
  k: v.optional(v.array(v.string())),
  /** The level of an inner node, and its children: first key, count, version. */
  l: v.optional(v.number(), 1),
  c: v.optional(v.array(v.tuple([v.string(), v.number(), v.number()])), []),
});

interface StoredNode {
  readonly name: string;
  readonly node: TreeNode;
  readonly version: number;
}

export function nodeItem(
  { orgId, resource, list }: TreeList,
  { name, node, version }: StoredNode,
): ItemKey & Readonly<Record<string, unknown>> {
  const children = (inner: Inner) => inner.children.map((child) => [child.first, child.count, child.version] as const);
  const content = isLeaf(node) ? { k: node.keys } : { l: node.level, c: children(node) };
  return { ...positionNodeKey(orgId, resource, list, name), v: version, ...content };
}

function parseNode({ orgId, resource, list }: TreeList, item: unknown): StoredNode {
  const { sk, v: version, k, l: level, c } = v.parse(Node, item);
  const name = sk.slice(positionNodeKey(orgId, resource, list, '').sk.length);
  if (k !== undefined) return { name, node: { keys: k }, version };
  const children = c.map(([first, count, written]) => ({ first, count, version: written }));
  return { name, node: { level, children }, version };
}

/** A node belongs to an older or newer tree: the trees were changed at the same time. Begin again. */
export class TreeChanged extends Error {
  override readonly name = 'TreeChanged';
}

/** Returns undefined if the trees were changed at the same time. */
export async function unlessChanged<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TreeChanged) return undefined;
    throw error;
  }
}

interface WantedNode {
  readonly name: string;
  readonly version: number;
}

/** Reads the nodes of one tree. A node is never written twice with the same version, so those that were read stay valid. */
export class NodeReader {
  readonly #table: Table;
  readonly #tree: TreeList;
  readonly #known = new Map<string, TreeNode>();

  constructor(table: Table, tree: TreeList) {
    this.#table = table;
    this.#tree = tree;
  }

  /** Reads nodes with neighbouring names. Throws TreeChanged if one of them does not have its version. */
  async read(wanted: readonly WantedNode[]): Promise<readonly TreeNode[]> {
    // An eventually consistent read costs half, and may return an older version.
    for (const consistent of [false, true]) {
      const missing = wanted.filter((one) => !this.#known.has(knownAs(one)));
      const [first, last] = [missing[0], missing.at(-1)];
      if (first !== undefined && last !== undefined) await this.readBetween(first.name, last.name, consistent);
    }
    return wanted.map((one) => {
      const node = this.#known.get(knownAs(one));
      if (node === undefined) throw new TreeChanged(`A node of the list ${this.#tree.list} has another version.`);
      return node;
    });
  }

  /** A node that was just written need not be read. */
  remember({ node, ...written }: StoredNode): void {
    this.#known.set(knownAs(written), node);
  }

  /** Reads the nodes with these names and those between them, whatever their versions. */
  async readBetween(first: string, last: string, consistent = false): Promise<void> {
    const { orgId, resource, list } = this.#tree;
    const [from, to] = [first, last].map((name) => positionNodeKey(orgId, resource, list, name));
    const pages = queryPages(this.#table, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': from?.pk, ':from': from?.sk, ':to': to?.sk },
      ConsistentRead: consistent,
    });
    for await (const items of pages) {
      for (const item of items) this.remember(parseNode(this.#tree, item));
    }
  }
}

const knownAs = ({ name, version }: WantedNode): string => `${version} ${name}`;
