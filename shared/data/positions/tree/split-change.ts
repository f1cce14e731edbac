import { positionStateKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { maxTransactionItems, transact } from '../../table/transact.ts';
import { keysIn, type PositionChange, type RowKeys } from '../change.ts';
import { stateUnchanged, TreeChanged, type Trees, type TreesState } from './stored.ts';

/** So few keys that the nodes they are in, with those above and beside them, always fit into a transaction. */
const fewKeys = 8;
/** The transaction also has the state and the change that is replaced. */
const maxParts = maxTransactionItems - 2;

/**
 * Replaces a change that waits by several smaller ones, in one transaction. They sort after it, so a reader that does not see the change any
 * more sees them, and one that sees both adds and removes each key once. A part of a very large change may have to be split again. The
 * trees must still have the state with which the change was read as waiting: another process may have applied it and not deleted it yet.
 */
export async function splitChange(
  table: Table,
  { orgId, resource }: Trees,
  change: PositionChange,
  state: TreesState,
): Promise<readonly PositionChange[]> {
  const TableName = table.name;
  const { pk, sk } = positionStateKey(orgId, resource);
  const edits = [...editsOf('removed', change.removed), ...editsOf('added', change.added)];
  const keysPerPart = Math.max(fewKeys, Math.ceil(edits.length / maxParts));
  const parts = Array.from({ length: Math.ceil(edits.length / keysPerPart) }, (_, index) =>
    changeOf(
      `${change.sk}~${String(index).padStart(3, '0')}`,
      edits.slice(index * keysPerPart, (index + 1) * keysPerPart),
    ),
  );
  const refused = await transact(table, [
    { ConditionCheck: { TableName, Key: { pk, sk }, ...stateUnchanged(state) } },
    { Delete: { TableName, Key: { pk, sk: change.sk }, ConditionExpression: 'attribute_exists(pk)' } },
    ...parts.map((part) => ({ Put: { TableName, Item: { pk, ...part } } })),
  ]);
  if (refused.length > 0) throw new TreeChanged('Another process has split or applied the change.');
  return parts;
}

interface Edit {
  readonly kind: 'added' | 'removed';
  readonly list: string;
  readonly key: string;
}

function editsOf(kind: Edit['kind'], keys: RowKeys): readonly Edit[] {
  return Object.keys(keys).flatMap((list) => keysIn(keys, list).map((key) => ({ kind, list, key })));
}

function changeOf(sk: string, edits: readonly Edit[]): PositionChange {
  const keysOf = (kind: Edit['kind']): RowKeys => {
    const own = edits.filter((edit) => edit.kind === kind);
    const lists = [...new Set(own.map(({ list }) => list))];
    return Object.fromEntries(
      lists.map((list) => [list, own.filter((edit) => edit.list === list).map(({ key }) => key)]),
    );
  };
  return { sk, added: keysOf('added'), removed: keysOf('removed') };
}
