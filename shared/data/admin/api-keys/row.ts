import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { keyModes } from '../../../domain/auth/api-keys.ts';
import { scopes } from '../../../domain/auth/scopes.ts';
import { getItem } from '../../table/get-item.ts';
import { apiKeyKey, apiKeysPartition } from '../../table/keys.ts';
import { queryAll } from '../../table/query.ts';
import { storedEnum, storedEnumList } from '../../table/row.ts';
import type { Table } from '../../table/table.ts';
import { compareKeyIds } from './key-ids.ts';

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const unix = v.nullable(v.number());

const ApiKeyItem = v.object({
  orgId: v.string(),
  keyId: v.string(),
  label: v.nullable(v.string()),
  mode: storedEnum(keyModes, 'test'),
  scopes: storedEnumList(scopes),
  createdUnix: v.number(),
  /** The intended lifetime of the key. A rotation changes expiresUnix, not this. */
  lifetimeSeconds: unix,
  expiresUnix: unix,
  revokedUnix: unix,
  rotatedFrom: v.nullable(v.string()),
  rotatedTo: v.nullable(v.string()),
  /** The id of the signing key that has signed it. When that one is retired, the key is refused. */
  signer: v.string(),
  /** The last characters of the key, by which people distinguish keys. */
  ending: v.string(),
  /** Set when the key is removed from the AUTH item. Until then the counts of the AUTH item contain the last use. */
  lastUsedUnix: unix,
});

/** The metadata of a key, for the platform team. Authentication uses the organisation's AUTH item. */
export type ApiKeyRecord = v.InferOutput<typeof ApiKeyItem>;

export async function readKeyRow(table: Table, orgId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
  const item = await getItem(table, apiKeyKey(orgId, keyId), { consistent: true });
  return item === undefined ? undefined : v.parse(ApiKeyItem, item);
}

/** Returns every key that the organisation ever had, the oldest first. */
export async function readKeyRows(table: Table, orgId: string): Promise<ApiKeyRecord[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': apiKeysPartition(orgId) },
    ConsistentRead: true,
  });
  return v.parse(v.array(ApiKeyItem), items).sort((one, other) => compareKeyIds(one.keyId, other.keyId));
}

export function putKeyRow(table: Table, row: ApiKeyRecord): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...apiKeyKey(row.orgId, row.keyId), ...row },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

export type KeyRowChange = Pick<ApiKeyRecord, 'keyId'> &
  Partial<Pick<ApiKeyRecord, 'expiresUnix' | 'revokedUnix' | 'rotatedTo' | 'lastUsedUnix'>>;

export function changeKeyRow(table: Table, orgId: string, { keyId, ...changes }: KeyRowChange): TransactItem {
  const fields = Object.entries(changes);
  return {
    Update: {
      TableName: table.name,
      Key: apiKeyKey(orgId, keyId),
      UpdateExpression: `SET ${fields.map((_, index) => `#${index} = :${index}`).join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(fields.map(([name], index) => [`#${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(fields.map(([, value], index) => [`:${index}`, value])),
    },
  };
}
