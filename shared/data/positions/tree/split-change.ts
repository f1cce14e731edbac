import { positionStateKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { transact } from '../../table/transact.ts';
import { keysIn, type PositionChange, type RowKeys } from '../change.ts';
import { TreeChanged, type Trees } from './stored.ts';

/** So few keys that the nodes they are in, with those above and beside them, always fit into a transaction. */
const keysPerPart = 8;

/**
 * Replaces a change by several smaller ones, in one transaction. They sort after it, so a reader that does not see the change any more sees
 * them, and one that sees both adds and removes each key once.
 */
export async function splitChange(
  table: Table,
  { orgId, resource }: Trees,
  change: PositionChange,
): Promise<readonly PositionChange[]> {
  const TableName = table.name;
  const { pk } = positionStateKey(orgId, resource);
  const edits = [...editsOf('removed', change.removed), ...editsOf('added', change.added)];
  const parts = Array.from({ length: Math.ceil(edits.length / keysPerPart) }, (_, index) =>
    changeOf(
      `${change.sk}~${String(index).padStart(3, '0')}`,
      edits.slice(index * keysPerPart, (index + 1) * keysPerPart),
    ),
  );
  const refused = await transact(table, [
    { Delete: { TableName, Key: { pk, sk: change.sk }, ConditionExpression: 'attribute_exists(pk)' } },
    ...parts.map((part) => ({ Put: { TableName, Item: { pk, ...part } } })),
  ]);
  if (refused.length > 0) throw new TreeChanged('Another process has split the change.');
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
