import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Located, startOfList } from '../lists/list-page.ts';
import { positionStateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { differenceOf, ListPositions } from './list-positions.ts';
import { readAllChanges } from './read-changes.ts';
import { type KnownNodes, readNodesOf } from './read-nodes.ts';
import { parseState, readNode, readNodeOf, TreeChanged, type TreeList, type Trees } from './stored.ts';
import { emptyTree } from './tree.ts';
import { rootId } from './tree-editor.ts';

/** A list in the order of its sort keys, or the part of it between two sort keys, both inclusive. */
export interface PositionedList extends TreeList {
  readonly descending: boolean;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const maxAttempts = 6;
const maxPauseMs = 20;

/**
 * Finds the sort key after which the rows from an offset on follow: the state of the trees and the changes that they do not
 * contain yet are read with one Query, then one node of each level. If the trees change at the same time, it begins again, and
 * at last it leaves the counting to the reader of the rows.
 */
export async function locatePosition(table: Table, wanted: PositionedList, offset: number): Promise<Located> {
  return (await readPositions(table, wanted, (positions) => locateIn(positions, wanted, offset))) ?? startOfList;
}

/** Reads positions of a list. If the trees change at the same time, it begins again; undefined if they change each time. */
export async function readPositions<Result>(
  table: Table,
  wanted: TreeList,
  read: (positions: ListPositions) => Promise<Result>,
): Promise<Result | undefined> {
  // Another attempt reads only the nodes that have changed.
  const known: KnownNodes = new Map();
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      return await readOnce(table, wanted, known, read);
    } catch (error) {
      if (!(error instanceof TreeChanged)) throw error;
      await sleep(randomInt(1, maxPauseMs));
    }
  }
  return undefined;
}

async function readOnce<Result>(
  table: Table,
  wanted: TreeList,
  known: KnownNodes,
  read: (positions: ListPositions) => Promise<Result>,
): Promise<Result> {
  const { list } = wanted;
  const root = { list, id: rootId };
  const [{ state, pending }, atOnce] = await Promise.all([
    readAllChanges(table, wanted),
    readNode(table, wanted, root),
  ]);
  const version = state.roots[list];
  const node =
    version === undefined || atOnce?.version === version
      ? (atOnce?.node ?? emptyTree)
      : await readNodeOf(table, wanted, { ...root, version }, { consistent: true });
  if (version === undefined && atOnce !== undefined)
    throw new TreeChanged('The first tree of a list was just written.');
  const positions = new ListPositions(node, differenceOf(pending, list), (children) =>
    readNodesOf(table, wanted, children, known),
  );
  const [result] = await Promise.all([read(positions), checkUnchanged(table, wanted, state.version)]);
  return result;
}

async function locateIn(positions: ListPositions, list: PositionedList, offset: number): Promise<Located> {
  const { descending } = list;
  const { start, end } = await boundsIn(positions, list);
  if (offset >= end - start) return 'past the end';
  if (offset === 0) return startOfList;
  const index = descending ? end - offset : start + offset - 1;
  const [after] = await positions.keysBetween(index, index + 1);
  if (after === undefined) throw new TreeChanged('The counts of a tree are not those of its nodes.');
  return { after, preceding: offset };
}

/** The index of the first key of a part of a list, and that of the first key after it. */
export async function boundsIn(
  positions: ListPositions,
  { from, to }: Pick<PositionedList, 'from' | 'to'>,
): Promise<{ readonly start: number; readonly end: number }> {
  const [start, end] = await Promise.all([
    from === undefined ? 0 : positions.rankOf(from),
    // A key followed by a zero byte is the lowest key that is greater than it.
    to === undefined ? positions.count : positions.rankOf(`${to}\u0000`),
  ]);
  return { start, end };
}

/**
 * A Query is not a snapshot: changes may have been applied and deleted while it ran. The state has then a later version than
 * the one that the Query returned first.
 */
export async function checkUnchanged(table: Table, { orgId, resource }: Trees, version: number): Promise<void> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: positionStateKey(orgId, resource), ConsistentRead: true }),
  );
  const current = Item === undefined ? 0 : parseState(Item).version;
  if (current !== version) throw new TreeChanged(`The trees have version ${current}, not ${version}.`);
}
