import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { windowRules } from '../../domain/auth/rate-windows.ts';
import type { GateTokenRecord } from '../../domain/gates/gate.ts';
import { gateAuthItem } from '../auth/admit-gate.ts';
import { lastUsedMinutes } from '../auth/auth-item.ts';
import { batchGet } from '../table/batch-get.ts';
import { gateAuthKey, gateKey, gatesPartition, type ItemKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { retryRaces } from '../table/retry.ts';
import { allOrSome, row } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';

const ids = allOrSome(v.number());
const unix = v.nullable(v.number());
const StoredToken = row({
  tokenId: v.string(),
  label: v.nullable(v.string()),
  gates: ids,
  events: ids,
  offline: v.optional(v.boolean(), false),
  createdUnix: v.number(),
  expiresUnix: unix,
  revokedUnix: unix,
  signer: v.string(),
  ending: v.string(),
  lastUsedUnix: unix,
});

const prefix = 'T#';
const rowKey = (orgId: string, tokenId: string): ItemKey => gateKey(orgId, prefix + tokenId);

/** Creates the text and the hash of a token with this id, and signs it. The format of tokens is defined in `shared/http`. */
export type MakeGateToken = (
  orgId: string,
  tokenId: string,
) => { readonly text: string; readonly hash: Uint8Array; readonly signer: string };

export type NewGateToken = Pick<GateTokenRecord, 'label' | 'gates' | 'events' | 'createdUnix' | 'expiresUnix'> &
  Partial<Pick<GateTokenRecord, 'offline'>>;

/** The ending is part of the checksum, not of the secret. */
const endingLength = 4;

/**
 * Issues a token with a new id. Ids are not reused, because the rows of revoked tokens stay. One transaction writes the row
 * and the authentication item.
 */
export function issueGateToken(
  table: Table,
  orgId: string,
  { offline = false, ...bounds }: NewGateToken,
  make: MakeGateToken,
): Promise<{ readonly token: GateTokenRecord; readonly text: string }> {
  const fields = { ...bounds, offline };
  return retryRaces('list of gate tokens', async () => {
    const tokenId = randomInt(36 ** 3, 36 ** 4).toString(36);
    const { text, hash, signer } = make(orgId, tokenId);
    const ending = text.slice(-endingLength);
    const token = { ...fields, tokenId, revokedUnix: null, signer, ending, lastUsedUnix: null };
    const isNew = { TableName: table.name, ConditionExpression: 'attribute_not_exists(pk)' };
    const refusals = await transact(table, [
      { Put: { ...isNew, Item: { ...rowKey(orgId, tokenId), ...token } } },
      { Put: { ...isNew, Item: gateAuthItem({ orgId, keyId: tokenId, hash }, fields) } },
    ]);
    return refusals.length > 0 ? undefined : { token, text };
  });
}

/** Returns every token that the organisation ever had, the oldest first, each with the minute of its last use. */
export async function listGateTokens(table: Table, orgId: string): Promise<readonly GateTokenRecord[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': gatesPartition(orgId), ':prefix': prefix },
    ConsistentRead: true,
  });
  const rows = v.parse(v.array(StoredToken), items);
  const authItems = await batchGet(
    table,
    rows.filter(({ revokedUnix }) => revokedUnix === null).map(({ tokenId }) => gateAuthKey(orgId, tokenId)),
    { consistent: false },
  );
  const uses = new Map(authItems.flatMap((authItem) => [...lastUsedMinutes(authItem)]));
  return rows
    .map((row) => ({ ...row, lastUsedUnix: row.lastUsedUnix ?? unixOfMinute(uses.get(row.tokenId)) }))
    .sort((one, other) => one.createdUnix - other.createdUnix || (one.tokenId < other.tokenId ? -1 : 1));
}

export interface RevokedToken {
  readonly outcome: 'revoked' | 'already_revoked';
  readonly token: GateTokenRecord;
}

/** Takes effect at the next request, because nothing is cached. Returns undefined if the token does not exist. Idempotent. */
export async function revokeGateToken(
  table: Table,
  { orgId, tokenId, nowUnix }: { readonly orgId: string; readonly tokenId: string; readonly nowUnix: number },
): Promise<RevokedToken | undefined> {
  const token = (await listGateTokens(table, orgId)).find((row) => row.tokenId === tokenId);
  if (token === undefined) return undefined;
  if (token.revokedUnix !== null) return { outcome: 'already_revoked', token };
  const revoked = { ...token, revokedUnix: nowUnix };
  // The counts are deleted with the authentication item, so the last use is copied to the row.
  await transact(table, [
    { Put: { TableName: table.name, Item: { ...rowKey(orgId, tokenId), ...revoked } } },
    { Delete: { TableName: table.name, Key: gateAuthKey(orgId, tokenId) } },
  ]);
  return { outcome: 'revoked', token: revoked };
}

function unixOfMinute(minute: number | undefined): number | null {
  return minute === undefined ? null : minute * windowRules.gate_minute.seconds;
}
