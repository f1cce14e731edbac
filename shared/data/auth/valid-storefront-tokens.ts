import * as v from 'valibot';
import { batchGet } from '../table/batch-get.ts';
import { storefrontTokenIdsPartition, storefrontTokenKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { hasExpired } from './auth-item.ts';

const StoredToken = v.object({
  tokenId: v.string(),
  origins: v.array(v.string()),
  basketKey: v.instance(Uint8Array),
  createdUnix: v.number(),
  revokedUnix: v.nullable(v.number()),
});

/** The storefront tokens of an organisation that are neither revoked nor expired, the oldest first. */
async function readValidTokens(table: Table, orgId: string, nowUnix: number) {
  const ids = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': storefrontTokenIdsPartition(orgId) },
  });
  const items = await batchGet(
    table,
    ids.map(({ sk }) => storefrontTokenKey(orgId, String(sk))),
    { consistent: false },
  );
  const valid = items.flatMap((item) => {
    const token = v.parse(StoredToken, item);
    return token.revokedUnix !== null || hasExpired(item, token.tokenId, nowUnix) ? [] : [token];
  });
  return valid.sort((one, other) => one.createdUnix - other.createdUnix || (one.tokenId < other.tokenId ? -1 : 1));
}

/** The origins that the storefront tokens of an organisation allow. */
export async function readAllowedOrigins(table: Table, orgId: string, nowUnix: number): Promise<readonly string[]> {
  return (await readValidTokens(table, orgId, nowUnix)).flatMap(({ origins }) => origins);
}

/** The key that signs the tokens of baskets which no storefront token has opened; undefined if the organisation has none. */
export async function readBasketKey(table: Table, orgId: string, nowUnix: number): Promise<Uint8Array | undefined> {
  const [oldest] = await readValidTokens(table, orgId, nowUnix);
  return oldest?.basketKey;
}
