import * as v from 'valibot';
import { getItem } from '../table/get-item.ts';
import { erasureKey, erasuresPartition } from '../table/person-keys.ts';
import { queryAll } from '../table/query.ts';
import { nullable } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { type TransactItem, transact } from '../table/transact.ts';

/** Longer than any backup is kept that brings an erased person back: 35 days of point-in-time recovery, copies of five weeks. */
const keptSeconds = 100 * 86_400;

/** Whom an operator has erased: a customer, whose id stays, or somebody who was none, by the hash of the address. */
export interface ErasedPerson {
  readonly orgId: string;
  readonly userId: number | null;
  readonly addressHash: string | null;
  /** The hash of the address without its tag, which waiting lists compare. Null for a customer, and in the list of an earlier release. */
  readonly untaggedHash: string | null;
}

export interface Erasure extends ErasedPerson {
  readonly startedUnix: number;
  /** The orders and members that were the person's when it began: an order with an address alone cannot be found afterwards. */
  readonly orderIds: readonly number[];
  readonly memberIds: readonly number[];
  /** Null while it runs, and if it was interrupted. */
  readonly doneUnix: number | null;
}

const Stored = v.object({
  orgId: v.string(),
  userId: nullable(v.number()),
  addressHash: nullable(v.string()),
  untaggedHash: nullable(v.string()),
  startedUnix: v.number(),
  orderIds: v.optional(v.array(v.number()), []),
  memberIds: v.optional(v.array(v.number()), []),
  doneUnix: nullable(v.number()),
});

export const parseErasure = (stored: unknown): Erasure => v.parse(Stored, stored);

/** Writes down an erasure: when it begins, and when it is done. The last one of a person replaces those before. */
export async function saveErasure(
  table: Table,
  erasure: Erasure,
  sideEffects: readonly TransactItem[] = [],
): Promise<void> {
  const Item = { ...erasureKey(erasure), ...erasure, ttl: erasure.startedUnix + keptSeconds };
  await transact(table, [{ Put: { TableName: table.name, Item } }], sideEffects);
}

/** The last erasure of a person. */
export async function readErasure(table: Table, person: ErasedPerson): Promise<Erasure | undefined> {
  const item = await getItem(table, erasureKey(person), { consistent: true });
  return item === undefined ? undefined : parseErasure(item);
}

/** All erasures of an organisation of the last months. */
export async function erasuresOf(table: Table, orgId: string): Promise<readonly Erasure[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': erasuresPartition(orgId) },
    ConsistentRead: true,
  });
  return items.map(parseErasure);
}

/** Whether a table shows what an erasure left. One that was not done, or was done before this one began, does not count. */
export async function isErasedIn(table: Table, erasure: Erasure): Promise<boolean> {
  const known = (await readErasure(table, erasure))?.doneUnix ?? null;
  return known !== null && known >= erasure.startedUnix;
}
