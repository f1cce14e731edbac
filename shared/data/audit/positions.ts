import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { memberPositions } from '../members/positions.ts';
import { parseMember } from '../members/row.ts';
import type { SortKeys } from '../positions/change.ts';
import { differenceOf } from '../positions/list-positions.ts';
import { type PendingChanges, readAllChanges } from '../positions/read-changes.ts';
import { readNodeOf, TreeChanged, type Trees } from '../positions/stored.ts';
import { isLeaf } from '../positions/tree.ts';
import { rootId } from '../positions/tree-editor.ts';
import { membersPartition, positionNodeKey } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/**
 * Compares the position trees of a resource, with the changes that they do not contain yet, with the sort keys of its rows.
 * Returns undefined if the trees changed during the look.
 */
export async function auditPositions(
  table: Table,
  trees: Trees,
  rows: AsyncIterable<readonly SortKeys[]>,
): Promise<readonly Finding[] | undefined> {
  const before = await readAllChanges(table, trees);
  const expected = new Map<string, Set<string>>();
  for await (const page of rows) {
    for (const [list, key] of page.flatMap((keys) => Object.entries(keys))) {
      expected.set(list, (expected.get(list) ?? new Set()).add(key));
    }
  }
  const findings: Finding[] = [];
  for (const list of new Set([...expected.keys(), ...Object.keys(before.state.roots)])) {
    const stored = await positionsOf(table, trees, before, list);
    if (stored === undefined) return undefined;
    const problem = contradiction(stored, expected.get(list) ?? new Set());
    const row = nameRow(positionNodeKey(trees.orgId, trees.resource, list, rootId));
    if (problem !== undefined) findings.push({ check: 'position-trees', row, problem });
  }
  const after = await readAllChanges(table, trees);
  return isSame(before, after) ? findings : undefined;
}

function isSame(one: PendingChanges, other: PendingChanges): boolean {
  const changes = ({ pending }: PendingChanges): string => pending.map(({ sk }) => sk).join(' ');
  return one.state.version === other.state.version && changes(one) === changes(other);
}

/** All keys of a list: those of its tree, with the changes that follow. */
async function positionsOf(
  table: Table,
  trees: Trees,
  { state, pending }: PendingChanges,
  list: string,
): Promise<Set<string> | undefined> {
  const keys = new Set<string>();
  const collect = async (id: number, version: number): Promise<void> => {
    const node = await readNodeOf(table, trees, { list, id, version }, { consistent: true });
    if (isLeaf(node)) for (const key of node.keys) keys.add(key);
    else for (const child of node.children) await collect(child.id, child.version);
  };
  const version = state.roots[list];
  try {
    if (version !== undefined) await collect(rootId, version);
  } catch (error) {
    if (error instanceof TreeChanged) return undefined;
    throw error;
  }
  const { added, removed } = differenceOf(pending, list);
  for (const key of removed) keys.delete(key);
  for (const key of added) keys.add(key);
  return keys;
}

function contradiction(stored: ReadonlySet<string>, expected: ReadonlySet<string>): string | undefined {
  const missing = [...expected].filter((key) => !stored.has(key));
  const extra = [...stored].filter((key) => !expected.has(key));
  const parts = [
    ...(missing.length === 0 ? [] : [`${missing.length} rows are missing, the first is ${missing[0]}`]),
    ...(extra.length === 0 ? [] : [`${extra.length} keys belong to no row, the first is ${extra[0]}`]),
  ];
  return parts.length === 0 ? undefined : `The tree differs from the list: ${parts.join('; ')}.`;
}

/** The positions of all members. */
export async function* everyMemberPositions(table: Table, orgId: string): AsyncGenerator<readonly SortKeys[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': membersPartition(orgId) },
    ConsistentRead: true,
  });
  for await (const items of pages) yield items.map(parseMember).map((member) => memberPositions(member));
}
