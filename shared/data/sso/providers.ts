import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type SsoProvider, ssoAlgorithms } from '../../domain/sso/provider.ts';
import { isConditionFailure } from '../table/failures.ts';
import { ssoKey, ssoPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { carried, row, storedEnumList } from '../table/row.ts';
import type { Table } from '../table/table.ts';

const StoredProvider = row({
  providerId: v.string(),
  issuer: v.string(),
  audiences: v.array(v.string()),
  algorithms: storedEnumList(ssoAlgorithms),
  keys: v.variant('kind', [
    v.object({ kind: v.literal('inline'), jwks: v.string() }),
    v.object({ kind: v.literal('fetched'), uri: v.string() }),
  ]),
  trustsEmail: v.optional(v.boolean(), false),
  createdUnix: v.number(),
});

const KnownKeys = v.object({ keys: v.object({ kind: v.picklist(['inline', 'fetched']) }) });

const prefix = 'P#';
const providerKey = (orgId: string, providerId: string) => ssoKey(orgId, prefix + providerId);

/** Reads the current providers of an organisation: a removal or a rotated key takes effect at the next request. */
export async function readProviders(table: Table, orgId: string): Promise<readonly SsoProvider[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': ssoPartition(orgId), ':prefix': prefix },
    ConsistentRead: true,
  });
  // Nothing proves a token of a provider whose keys have a kind that only a later release knows.
  return v.parse(
    v.array(StoredProvider),
    items.filter((item) => v.is(KnownKeys, item)),
  );
}

export interface SavedProvider {
  readonly outcome: 'changed' | 'unchanged';
  readonly provider: SsoProvider;
}

/** Replaces a provider with the same id, which is how inline keys are rotated. The time of creation stays. */
export async function saveProvider(table: Table, orgId: string, provider: SsoProvider): Promise<SavedProvider> {
  const existing = (await readProviders(table, orgId)).find(({ providerId }) => providerId === provider.providerId);
  const saved = { ...carried(existing), ...provider, createdUnix: existing?.createdUnix ?? provider.createdUnix };
  const Item = { ...providerKey(orgId, provider.providerId), ...saved };
  if (isDeepStrictEqual(existing, saved)) return { outcome: 'unchanged', provider: saved };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
  return { outcome: 'changed', provider: saved };
}

/** The provider's tokens are refused from the next request on. Links stay, and work again when the provider is added again. */
export async function removeProvider(table: Table, orgId: string, providerId: string): Promise<'removed' | 'missing'> {
  try {
    await table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: providerKey(orgId, providerId),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
    return 'removed';
  } catch (error) {
    if (isConditionFailure(error)) return 'missing';
    throw error;
  }
}
