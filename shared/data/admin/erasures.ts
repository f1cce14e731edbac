import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { getItem } from '../table/get-item.ts';
import { erasureKey, erasuresPartition } from '../table/person-keys.ts';
import { queryAll } from '../table/query.ts';
import { nullable } from '../table/row.ts';
import type { Table } from '../table/table.ts';

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
  /** Null while it runs, and if it was interrupted. */
  readonly doneUnix: number | null;
}

const Stored = v.object({
  orgId: v.string(),
  userId: nullable(v.number()),
  addressHash: nullable(v.string()),
  untaggedHash: nullable(v.string()),
  startedUnix: v.number(),
  doneUnix: nullable(v.number()),
});

export const parseErasure = (stored: unknown): Erasure => v.parse(Stored, stored);

/** Writes down an erasure: when it begins, and when it is done. The last one of a person replaces those before. */
export async function saveErasure(table: Table, erasure: Erasure): Promise<void> {
  const Item = { ...erasureKey(erasure), ...erasure, ttl: erasure.startedUnix + keptSeconds };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
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
  const item = await getItem(table, erasureKey(erasure), { consistent: true });
  const known = item === undefined ? null : parseErasure(item).doneUnix;
  return known !== null && known >= erasure.startedUnix;
}
