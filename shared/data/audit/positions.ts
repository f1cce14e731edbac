import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import { memberList, memberPositions } from '../members/positions.ts';
import { parseMember } from '../members/row.ts';
import { allOrders, orderPositions } from '../orders/positions.ts';
import { differenceOf } from '../positions/list-positions.ts';
import { type FoundNode, nodesBetween } from '../positions/nodes-between.ts';
import { type PendingChanges, readAllChanges } from '../positions/read-changes.ts';
import { TreeChanged, type TreeList } from '../positions/stored.ts';
import { countOf, firstOf, isLeaf } from '../positions/tree.ts';
import { rootId } from '../positions/tree-editor.ts';
import { positionNodeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type ListRange, listRange, usualLists } from './list-ranges.ts';
import { keysOfOrders, orderIdAtKey } from './order-keys.ts';

/** Where the audit of the position trees is: after a sort key of a list. */
export const PositionedPart = v.object({
  part: v.literal('positions'),
  resource: v.picklist(['customers', 'events', 'members', 'orders']),
  list: v.string(),
  after: v.string(),
});
export type PositionedPart = v.InferOutput<typeof PositionedPart>;

const resources = PositionedPart.entries.resource.options;
export const positionsStart: PositionedPart = { part: 'positions', resource: resources[0], list: '', after: '' };

interface AuditedPositions {
  /** Undefined if rows or trees changed during the look. */
  readonly findings: readonly Finding[] | undefined;
  readonly next: PositionedPart | undefined;
}

const rowsPerStep = 500;

/**
 * Compares some rows of lists with the same parts of their position trees and the changes that the trees do not contain yet. It
 * also compares what the nodes that lead there say about the nodes below them. Small lists of a resource are one step.
 */
export async function auditPositions(table: Table, orgId: string, at: PositionedPart): Promise<AuditedPositions> {
  const { resource } = at;
  const trees = { orgId, resource };
  const before = await readAllChanges(table, trees);
  const findings: Finding[] = [];
  let [isComplete, left] = [true, rowsPerStep];
  let next: PositionedPart | undefined = at;
  while (left > 0 && next?.resource === resource) {
    const page: AuditedList = await auditList(table, orgId, before, { at: next, limit: left });
    if (page.findings === undefined) isComplete = false;
    else findings.push(...page.findings);
    left -= page.rows;
    ({ next } = page);
  }
  return { findings: isComplete && isSame(before, await readAllChanges(table, trees)) ? findings : undefined, next };
}

interface AuditedList extends AuditedPositions {
  readonly rows: number;
}

async function auditList(
  table: Table,
  orgId: string,
  before: PendingChanges,
  { at, limit }: { readonly at: PositionedPart; readonly limit: number },
): Promise<AuditedList> {
  const { resource, list, after } = at;
  const tree = { orgId, resource, list };
  if (resource === 'orders') return auditOrderKeys(table, tree, before, { at, limit });
  const range = listRange(orgId, resource, list);
  if (range === undefined) return { rows: 0, findings: [], next: nextList(before, at) };
  const { rows, last } = await readRows(table, range, after, limit);
  const next = last === undefined ? nextList(before, at) : { ...at, after: last };
  const nodes = await readTree(table, tree, before, { range: { from: after, to: last && `${last}\u0000` } });
  if (nodes === undefined) return { rows: rows.length, findings: undefined, next };
  const stored = storedKeys(nodes, before, list).filter(isBetween(after, last));
  const problems = [
    differenceOfKeys(new Set(stored), new Set(rows.map(({ sortKey }) => sortKey)), idAt),
    ...nodes.map(wrongNode),
    ...(resource === 'members' && list === memberList('all', '') ? listsWithoutTree(before, rows) : []),
  ];
  return { rows: rows.length, findings: findingsOf(tree, problems), next };
}

const isBetween =
  (after: string, last: string | undefined) =>
  (key: string): boolean =>
    compareSortKeys(key, after) > 0 && (last === undefined || compareSortKeys(key, last) <= 0);

function findingsOf(
  { orgId, resource, list }: TreeList,
  problems: readonly (string | undefined)[],
): readonly Finding[] {
  const row = nameRow(positionNodeKey(orgId, resource, list, rootId));
  return problems.flatMap((problem) => (problem === undefined ? [] : { check: 'position-trees', row, problem }));
}

/** Roughly: the keys of orders have 25 characters. */
const keysPerLeaf = 30;

/**
 * The orders of all events are in no range, so each key of the tree is compared with its order. The audit of the events looks for
 * orders without a key.
 */
async function auditOrderKeys(
  table: Table,
  tree: TreeList,
  before: PendingChanges,
  { at, limit }: { readonly at: PositionedPart; readonly limit: number },
): Promise<AuditedList> {
  const { list, after } = at;
  if (list !== allOrders) return { rows: 0, findings: [], next: nextList(before, at) };
  const maxLeaves = Math.ceil(limit / keysPerLeaf);
  const nodes = await readTree(table, tree, before, { range: { from: after }, maxLeaves });
  if (nodes === undefined) return { rows: 0, findings: undefined, next: nextList(before, at) };
  const leaves = nodes.flatMap(({ node }) => (isLeaf(node) ? [node.keys] : []));
  const last = leaves.length < maxLeaves ? undefined : leaves.at(-1)?.at(-1);
  const stored = storedKeys(nodes, before, list).filter(isBetween(after, last));
  const expected = await keysOfOrders(table, tree.orgId, stored);
  const problems = [differenceOfKeys(new Set(stored), new Set(expected), orderIdAtKey), ...nodes.map(wrongNode)];
  return {
    rows: stored.length,
    findings: findingsOf(tree, problems),
    next: last === undefined ? nextList(before, at) : { ...at, after: last },
  };
}

/** Finds orders whose keys the position tree of all orders and the waiting changes do not have. */
export async function auditOrderPositions(
  table: Table,
  orgId: string,
  orders: readonly OrderRecord[],
): Promise<readonly Finding[]> {
  const keys = orders.map((order) => orderPositions(order)[allOrders] ?? '').sort(compareSortKeys);
  if (keys.length === 0) return [];
  const tree = { orgId, resource: 'orders', list: allOrders } as const;
  const before = await readAllChanges(table, tree);
  const nodes = await readTree(table, tree, before, { range: { keys } });
  // The trees changed meanwhile. A later round compares them.
  if (nodes === undefined || !isSame(before, await readAllChanges(table, tree))) return [];
  const stored = new Set(storedKeys(nodes, before, allOrders));
  return findingsOf(tree, [
    differenceOfKeys(new Set(keys.filter((key) => stored.has(key))), new Set(keys), orderIdAtKey),
  ]);
}

/** The list that follows, in the order of names, or the first one of the next resource. */
function nextList({ state, pending }: PendingChanges, { resource, list }: PositionedPart): PositionedPart | undefined {
  const names = new Set([...usualLists[resource], ...Object.keys(state.roots), ...listsIn(pending)]);
  const [name] = [...names].filter((one) => one > list).sort();
  if (name !== undefined) return { part: 'positions', resource, list: name, after: '' };
  const following = resources[resources.indexOf(resource) + 1];
  return following && { part: 'positions', resource: following, list: '', after: '' };
}

const listsIn = (pending: PendingChanges['pending']): string[] => pending.flatMap(({ added }) => Object.keys(added));

interface ListedRow {
  readonly sortKey: string;
  readonly item: Readonly<Record<string, unknown>>;
}

async function readRows(table: Table, { partition, index }: ListRange, after: string, limit: number) {
  const [pk, sk] = index === undefined ? ['pk', 'sk'] : [`${index}pk`, `${index}sk`];
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...(index !== undefined && { IndexName: index }),
      // No sort key is empty, and DynamoDB accepts no empty value for one.
      KeyConditionExpression: `${pk} = :pk${after === '' ? '' : ` AND ${sk} > :after`}`,
      ExpressionAttributeValues: { ':pk': partition, ...(after !== '' && { ':after': after }) },
      Limit: limit,
    }),
  );
  const rows: ListedRow[] = Items.map((item) => ({ sortKey: String(item[sk]), item }));
  return { rows, last: LastEvaluatedKey === undefined ? undefined : rows.at(-1)?.sortKey };
}

async function readTree(
  table: Table,
  tree: TreeList,
  { state }: PendingChanges,
  wanted: Omit<Parameters<typeof nodesBetween>[2], 'version'>,
): Promise<readonly FoundNode[] | undefined> {
  try {
    return await nodesBetween(table, tree, { version: state.roots[tree.list], ...wanted });
  } catch (error) {
    if (error instanceof TreeChanged) return undefined;
    throw error;
  }
}

function isSame(one: PendingChanges, other: PendingChanges): boolean {
  const changes = ({ pending }: PendingChanges): string => pending.map(({ sk }) => sk).join(' ');
  return one.state.version === other.state.version && changes(one) === changes(other);
}

/** The keys of leaves, with the changes that follow. */
function storedKeys(nodes: readonly FoundNode[], { pending }: PendingChanges, list: string): string[] {
  const keys = new Set(nodes.flatMap(({ node }) => (isLeaf(node) ? node.keys : [])));
  const { added, removed } = differenceOf(pending, list);
  for (const key of removed) keys.delete(key);
  for (const key of added) keys.add(key);
  return [...keys];
}

function differenceOfKeys(
  stored: ReadonlySet<string>,
  expected: ReadonlySet<string>,
  nameOf: (key: string) => string,
): string | undefined {
  const missing = [...expected].filter((key) => !stored.has(key));
  const extra = [...stored].filter((key) => !expected.has(key));
  const first = ([key = '']: readonly string[]): string => nameOf(key);
  const parts = [
    ...(missing.length === 0 ? [] : [`${missing.length} rows are missing, the first is ${first(missing)}`]),
    ...(extra.length === 0 ? [] : [`${extra.length} keys belong to no row, the first is of ${first(extra)}`]),
  ];
  return parts.length === 0 ? undefined : `The tree differs from the list: ${parts.join('; ')}.`;
}

/** The id at the end of a sort key. The rest may be a name, which the log must not contain. */
const idAt = (sortKey: string): string => sortKey.replaceAll('\u0000', '#').split('#').at(-1) ?? '';

function wrongNode({ id, node, inParent }: FoundNode): string | undefined {
  if (inParent === undefined) return undefined;
  const count = countOf(node);
  if (count !== inParent.count) return `Node ${id} has ${count} keys, its parent says ${inParent.count}.`;
  return firstOf(node) === inParent.first ? undefined : `The first key of node ${id} is not what its parent says.`;
}

/** A list that has rows and neither a tree nor changes is empty for every reader. */
function listsWithoutTree({ state, pending }: PendingChanges, rows: readonly ListedRow[]): string[] {
  const known = new Set([...Object.keys(state.roots), ...listsIn(pending)]);
  const named = new Set(rows.flatMap(({ item }) => Object.keys(memberPositions(parseMember(item)))));
  return [...named].filter((name) => !known.has(name)).map((name) => `The list ${name} has rows and no tree.`);
}
