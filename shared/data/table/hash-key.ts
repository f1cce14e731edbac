import { randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { Fault } from '../../platform/fault.ts';
import { isConditionFailure } from './failures.ts';
import { getItem } from './get-item.ts';
import { hashKeyKey, type ItemKey } from './keys.ts';
import { type PersonHash, personHashWith } from './person-hash.ts';
import type { Table } from './table.ts';

/** The item of the key. It never changes: every hash in the table depends on it. */
export const hashKeyItem = (key: string): ItemKey & { readonly key: string } => ({ ...hashKeyKey(), key });

const HashKeyItem = v.object({ key: v.string() });

/** By the name of the table. An instance reads the key once. */
const known = new Map<string, PersonHash>();

export async function personHash(table: Table): Promise<PersonHash> {
  const kept = known.get(table.name);
  if (kept !== undefined) return kept;
  const item = await getItem(table, hashKeyKey(), { consistent: true });
  if (item === undefined)
    throw new Fault('The table has no key of hashes. It was created with the first organisation: restore the table.');
  const hash = personHashWith(v.parse(HashKeyItem, item).key);
  known.set(table.name, hash);
  return hash;
}

/** For a process that opens another table of the same name, as tests do. */
export function forgetHashKeys(): void {
  known.clear();
}

/** Creates the key of a new table, before its first organisation. A key that exists is never replaced. */
export async function createHashKey(table: Table): Promise<void> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: hashKeyItem(randomBytes(32).toString('base64url')),
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
