import * as v from 'valibot';
import { batchGet } from '../table/batch-get.ts';
import { storefrontTokenIdsPartition, storefrontTokenKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { hasExpired } from './auth-item.ts';

const StoredToken = v.object({
  tokenId: v.string(),
  origins: v.array(v.string()),
  revokedUnix: v.nullable(v.number()),
});

/** The origins that the storefront tokens of an organisation allow, without those of revoked and expired tokens. */
export async function readAllowedOrigins(table: Table, orgId: string, nowUnix: number): Promise<readonly string[]> {
  const ids = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': storefrontTokenIdsPartition(orgId) },
  });
  const items = await batchGet(
    table,
    ids.map(({ sk }) => storefrontTokenKey(orgId, String(sk))),
    { consistent: false },
  );
  return items.flatMap((item) => {
    const { tokenId, origins, revokedUnix } = v.parse(StoredToken, item);
    return revokedUnix !== null || hasExpired(item, tokenId, nowUnix) ? [] : origins;
  });
}
