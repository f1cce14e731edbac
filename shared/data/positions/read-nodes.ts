import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../table/batch-get.ts';
import { type ItemKey, positionNodeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseNode, readNodeOf, type StoredNode, type TreeList } from './stored.ts';
import type { Child, TreeNode } from './tree.ts';

type WantedNode = Pick<Child, 'id' | 'version'>;

/** Nodes that have been read. A node is never written twice with the same version, so they stay valid. */
export type KnownNodes = Map<string, TreeNode>;

const nameOf = ({ id, version }: WantedNode): string => `${id}#${version}`;

/**
 * Reads nodes of a tree that must have the versions that their parents name; otherwise it throws TreeChanged. Those that are known
 * are not read again.
 */
export async function readNodesOf(
  table: Table,
  tree: TreeList,
  wanted: readonly WantedNode[],
  known: KnownNodes = new Map(),
): Promise<readonly TreeNode[]> {
  const missing = wanted.filter((one) => !known.has(nameOf(one)));
  const areMany = missing.length > 1;
  if (areMany) {
    const ids = missing.map(({ id }) => id);
    const stored = await readStored(table, tree, ids);
    for (const one of missing) {
      const found = stored.get(one.id);
      if (found?.version === one.version) known.set(nameOf(one), found.node);
    }
  }
  const nodes: TreeNode[] = [];
  for (const { id, version } of wanted) {
    const name = nameOf({ id, version });
    const node =
      known.get(name) ?? (await readNodeOf(table, tree, { list: tree.list, id, version }, { consistent: areMany }));
    known.set(name, node);
    nodes.push(node);
  }
  return nodes;
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
