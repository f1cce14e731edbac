import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { positionStateKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type PositionChange, parsePositionChange } from '../change.ts';
import { noTrees, parseState, type Trees, type TreesState } from './stored.ts';

export interface PendingChanges {
  readonly state: TreesState;
  /** The changes that the trees do not contain yet, by row and version. */
  readonly pending: readonly PositionChange[];
  /** Changes that the trees contain and that were not deleted yet. */
  readonly applied: readonly PositionChange[];
  /** The sort key after which further changes follow; undefined if these are all. */
  readonly next: string | undefined;
}

/**
 * Reads the state of the trees and changes after a sort key, with one Query. The state comes first in its order, so a change
 * that is missing because it was applied and deleted meanwhile has a later version of the state.
 */
export async function readChangesPage(
  table: Table,
  { orgId, resource }: Trees,
  { after, limit, state }: { readonly after?: string; readonly limit?: number; readonly state?: TreesState } = {},
): Promise<PendingChanges> {
  const { pk, sk } = positionStateKey(orgId, resource);
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': pk, ...(after !== undefined && { ':after': after }) },
      ConsistentRead: true,
      ...(limit !== undefined && { Limit: limit }),
    }),
  );
  const stored = Items.find((item) => item.sk === sk);
  const known = state ?? (stored === undefined ? noTrees : parseState(stored));
  const changes = Items.filter((item) => item.sk !== sk).map(parsePositionChange);
  const applied = new Set(known.applied);
  return {
    state: known,
    pending: changes.filter((change) => !applied.has(change.sk)),
    applied: changes.filter((change) => applied.has(change.sk)),
    next: LastEvaluatedKey === undefined ? undefined : String(LastEvaluatedKey.sk),
  };
}

/** Reads the state and all changes. */
export async function readAllChanges(table: Table, trees: Trees): Promise<PendingChanges> {
  const first = await readChangesPage(table, trees);
  const pending = [...first.pending];
  let { next } = first;
  while (next !== undefined) {
    const page: PendingChanges = await readChangesPage(table, trees, { after: next, state: first.state });
    pending.push(...page.pending);
    ({ next } = page);
  }
  return { ...first, pending, next: undefined };
}
