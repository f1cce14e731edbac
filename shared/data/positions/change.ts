import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import { type ItemKey, type PositionedResource, positionChangeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The sort key of a row in each list that contains it, by the name of the list. */
export type SortKeys = Readonly<Record<string, string>>;

/** The keys of a row in each list. A list of words has several of one row. */
export type RowKeys = Readonly<Record<string, string | readonly string[]>>;

/** A row whose position changes. Each version of a row is written once, so the id and the version identify the change. */
export interface PositionedRow {
  readonly id: number;
  readonly version: number;
  readonly before: RowKeys | undefined;
  readonly after: RowKeys;
  /** Distinguishes two changes of one version of a row. */
  readonly part?: string;
}

const Keys = v.record(v.string(), v.union([v.string(), v.array(v.string())]));

const Stored = v.object({
  sk: v.string(),
  added: v.optional(Keys, {}),
  removed: v.optional(Keys, {}),
});

/** The sort keys that a row gained and lost. */
export interface PositionChange {
  readonly sk: string;
  readonly added: RowKeys;
  readonly removed: RowKeys;
}

export function parsePositionChange(item: unknown): PositionChange {
  return v.parse(Stored, item);
}

/** The keys of a row in one list. */
export function keysIn(keys: RowKeys, list: string): readonly string[] {
  const own = keys[list] ?? [];
  return typeof own === 'string' ? [own] : own;
}

/**
 * The write that records a change of positions, in the transaction that changes the row; none if the row keeps its positions.
 * Each change is an item of its own, so concurrent writers do not conflict.
 */
export function positionChangePut(
  table: Table,
  orgId: string,
  resource: PositionedResource,
  row: PositionedRow,
): TransactItem[] {
  const item = positionChangeItem(orgId, resource, row);
  return item === undefined ? [] : [{ Put: { TableName: table.name, Item: item } }];
}

export function positionChangeItem(
  orgId: string,
  resource: PositionedResource,
  { id, version, before = {}, after, part = '' }: PositionedRow,
): (ItemKey & Readonly<Record<string, unknown>>) | undefined {
  const added = without(after, before);
  const removed = without(before, after);
  const [gains, loses] = [Object.keys(added).length > 0, Object.keys(removed).length > 0];
  if (!gains && !loses) return undefined;
  const row = `${idText(id)}#${String(version).padStart(versionDigits, '0')}${part}`;
  return { ...positionChangeKey(orgId, resource, row), ...(gains && { added }), ...(loses && { removed }) };
}

/** The changes of a row are sorted by its version, so they are applied in their order. */
const versionDigits = 8;

function without(keys: RowKeys, others: RowKeys): RowKeys {
  const left = Object.entries(keys).map(([list, own]) => {
    const known = keysIn(others, list);
    const rest = keysIn(keys, list).filter((key) => !known.includes(key));
    return [list, typeof own === 'string' ? (rest[0] ?? []) : rest] as const;
  });
  return Object.fromEntries(left.filter(([, rest]) => rest.length > 0));
}
