import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import { batchGet } from '../table/batch-get.ts';
import { type ItemKey, positionNodeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TreeList } from './locate.ts';
import { parseNode, readNodeOf, type StoredNode } from './stored.ts';
import { type Child, type Inner, isLeaf, type TreeNode } from './tree.ts';
import { rootId } from './tree-editor.ts';

/** The keys from `from` on that are lower than `to`; without a bound there is none. */
export interface KeyRange {
  readonly from?: string;
  readonly to?: string | undefined;
}

/** A node of a tree, and what its parent says about it. The root has no parent. */
export interface FoundNode {
  readonly id: number;
  readonly node: TreeNode;
  readonly inParent: Child | undefined;
}

/**
 * Reads the nodes of a tree that lead to a range of keys, level by level, and the leaves that have them. Each node has the
 * version that its parent names; otherwise it throws TreeChanged.
 */
export async function nodesBetween(
  table: Table,
  tree: TreeList,
  { version, range }: { readonly version: number | undefined; readonly range: KeyRange },
): Promise<readonly FoundNode[]> {
  if (version === undefined) return [];
  const found: FoundNode[] = [];
  let level = [{ id: rootId, version, inParent: undefined as Child | undefined }];
  while (level.length > 0) {
    const stored = await readStored(
      table,
      tree,
      level.map(({ id }) => id),
    );
    const next: typeof level = [];
    for (const { id, version: expected, inParent } of level) {
      const known = stored.get(id);
      const node =
        known?.version === expected
          ? known.node
          : await readNodeOf(table, tree, { list: tree.list, id, version: expected }, { consistent: true });
      found.push({ id, node, inParent });
      if (!isLeaf(node)) next.push(...childrenIn(node, range).map((child) => ({ ...child, inParent: child })));
    }
    level = next;
  }
  return found;
}

function childrenIn({ children }: Inner, { from, to }: KeyRange): readonly Child[] {
  return children.filter(({ first }, index) => {
    const end = children[index + 1]?.first;
    const endsBefore = from !== undefined && end !== undefined && compareSortKeys(end, from) <= 0;
    return !endsBefore && (to === undefined || compareSortKeys(first, to) < 0);
  });
}

/** A node that is read with its neighbours costs about a quarter of one that is read by its key. */
const nodesPerGet = 4;
const fewNodes = 8;
const firstBatch = 40;
const growth = 8;
/** More nodes than one Query can return. */
const maxBatch = 10_000;

/**
 * Nodes are stored by their ids. Where keys are appended, as in an order of time, leaves with neighbouring keys have neighbouring
 * ids, so that a Query reads many of them at once. Elsewhere the nodes are read by their keys, as soon as that is seen.
 */
async function readStored(table: Table, { orgId, resource, list }: TreeList, ids: readonly number[]) {
  const nodes = new Map<number, StoredNode>();
  const wanted = new Map(ids.map((id) => [positionNodeKey(orgId, resource, list, id).sk, id]));
  const keep = (items: readonly Readonly<Record<string, unknown>>[]): void => {
    for (const item of items) {
      const id = wanted.get(String(item.sk));
      if (id !== undefined) nodes.set(id, parseNode(item));
    }
  };
  let rest: readonly ItemKey[] = ids
    .map((id) => positionNodeKey(orgId, resource, list, id))
    .sort((one, other) => (one.sk < other.sk ? -1 : 1));
  for (let limit = firstBatch; rest.length > fewNodes; limit = Math.min(limit * growth, maxBatch)) {
    const { Items = [], LastEvaluatedKey: last } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':pk': rest[0]?.pk, ':first': rest[0]?.sk, ':last': rest.at(-1)?.sk },
        Limit: limit,
      }),
    );
    keep(Items);
    if (last === undefined) return nodes;
    const before = rest.length;
    rest = rest.filter(({ sk }) => sk > String(last.sk));
    if ((before - rest.length) * nodesPerGet < Items.length) break;
  }
  keep(await batchGet(table, rest, { consistent: false }));
  return nodes;
}
