import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { windowRules } from '../../domain/auth/rate-windows.ts';
import type { GateTokenRecord } from '../../domain/gates/gate.ts';
import { gateAuthItem } from '../auth/admit-gate.ts';
import { lastUsedMinutes } from '../auth/auth-item.ts';
import { batchGet } from '../table/batch-get.ts';
import { gateAuthKey, gateKey, gatesPartition, type ItemKey } from '../table/keys.ts';
import { updateOptimistically } from '../table/optimistic-update.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';

const ids = v.union([v.literal('all'), v.array(v.number())]);
const unix = v.nullable(v.number());
const StoredToken = v.object({
  tokenId: v.string(),
  label: v.nullable(v.string()),
  gates: ids,
  events: ids,
  createdUnix: v.number(),
  expiresUnix: unix,
  revokedUnix: unix,
  ending: v.string(),
  lastUsedUnix: unix,
});

const prefix = 'T#';
const rowKey = (orgId: string, tokenId: string): ItemKey => gateKey(orgId, prefix + tokenId);

/** What a token looks like is the door's affair (shared/http): it is handed in, and called with the id the token will have. */
export type MakeGateToken = (orgId: string, tokenId: string) => { text: string; hash: Uint8Array };

export type NewGateToken = Pick<GateTokenRecord, 'label' | 'gates' | 'events' | 'createdUnix' | 'expiresUnix'>;

/** Part of the checksum, not of the secret. */
const endingLength = 4;

/** Makes a token with an id that none had before: the rows of revoked ones stay. Row and door are written together. */
export function issueGateToken(
  table: Table,
  orgId: string,
  fields: NewGateToken,
  make: MakeGateToken,
): Promise<{ readonly token: GateTokenRecord; readonly text: string }> {
  return updateOptimistically('list of gate tokens', async () => {
    const tokenId = randomInt(36 ** 3, 36 ** 4).toString(36);
    const { text, hash } = make(orgId, tokenId);
    const token = { ...fields, tokenId, revokedUnix: null, ending: text.slice(-endingLength), lastUsedUnix: null };
    const isNew = { TableName: table.name, ConditionExpression: 'attribute_not_exists(pk)' };
    const refusals = await transact(table, [
      { Put: { ...isNew, Item: { ...rowKey(orgId, tokenId), ...token } } },
      { Put: { ...isNew, Item: gateAuthItem({ orgId, keyId: tokenId, hash }, fields) } },
    ]);
    return refusals.length > 0 ? undefined : { token, text };
  });
}

/** Every token the organisation ever had, oldest first, each with its last use to the minute. */
export async function listGateTokens(table: Table, orgId: string): Promise<readonly GateTokenRecord[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': gatesPartition(orgId), ':prefix': prefix },
    ConsistentRead: true,
  });
  const rows = v.parse(v.array(StoredToken), items);
  const doors = await batchGet(
    table,
    rows.filter(({ revokedUnix }) => revokedUnix === null).map(({ tokenId }) => gateAuthKey(orgId, tokenId)),
    { consistent: false },
  );
  const uses = new Map(doors.flatMap((door) => [...lastUsedMinutes(door)]));
  return rows
    .map((row) => ({ ...row, lastUsedUnix: row.lastUsedUnix ?? unixOfMinute(uses.get(row.tokenId)) }))
    .sort((one, other) => one.createdUnix - other.createdUnix || (one.tokenId < other.tokenId ? -1 : 1));
}

/** Takes effect at the next request, because nothing is cached. Undefined when there is no such token; to repeat it is harmless. */
export async function revokeGateToken(
  table: Table,
  { orgId, tokenId, nowUnix }: { readonly orgId: string; readonly tokenId: string; readonly nowUnix: number },
): Promise<GateTokenRecord | undefined> {
  const token = (await listGateTokens(table, orgId)).find((row) => row.tokenId === tokenId);
  if (token === undefined || token.revokedUnix !== null) return token;
  const revoked = { ...token, revokedUnix: nowUnix };
  // The counts go with the door, so the last use moves into the row.
  await transact(table, [
    { Put: { TableName: table.name, Item: { ...rowKey(orgId, tokenId), ...revoked } } },
    { Delete: { TableName: table.name, Key: gateAuthKey(orgId, tokenId) } },
  ]);
  return revoked;
}

function unixOfMinute(minute: number | undefined): number | null {
  return minute === undefined ? null : minute * windowRules.gate_minute.seconds;
}
