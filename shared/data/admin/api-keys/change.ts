import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isConditionFailure, isTableUnavailable } from '../../table/failures.ts';
import { retryRaces } from '../../table/retry.ts';
import type { Table } from '../../table/table.ts';
import { expiredKeyIds, type KeySet, type KeySetChange, lastUseOf, readKeySet, updateKeySet } from './key-set.ts';
import { changeKeyRow, type KeyRowChange, putKeyRow, type TransactItem } from './row.ts';

/** What a change of keys writes. The attributes of the AUTH item are derived from the rows, so both always agree. */
export interface KeyWrite extends Pick<KeySetChange, 'add'> {
  readonly changes: readonly KeyRowChange[];
}

export interface Decision<Outcome> {
  /** Absent if there is nothing to write: a refusal, or a change that was made before. */
  readonly write?: KeyWrite;
  readonly outcome: Outcome;
}

export type OrganisationMissing = { readonly outcome: 'organisation_missing' };
export type KeyMissing = { readonly outcome: 'key_missing' };
export type LimitReached = { readonly outcome: 'limit_reached' };

interface KeyChange {
  readonly orgId: string;
  readonly nowMs: number;
}

/**
 * Reads the AUTH item, calls `decide`, and writes the AUTH item and the rows in one transaction, on the condition that the
 * keys have not changed since they were read. Otherwise it reads and decides again, which makes the limit of keys exact. After
 * a crash either everything or nothing is written.
 */
export async function changeKeys<Outcome>(
  table: Table,
  { orgId, nowMs }: KeyChange,
  decide: (keySet: KeySet) => Decision<Outcome> | Promise<Decision<Outcome>>,
): Promise<Outcome | OrganisationMissing> {
  const { changed } = await retryRaces(`keys of ${orgId}`, async () => {
    const keySet = await readKeySet(table, orgId);
    if (keySet === undefined) return { changed: { outcome: 'organisation_missing' as const } };
    const { write, outcome } = await decide(keySet);
    const isDone = write === undefined || (await commit(table, transaction(table, keySet, write, nowMs)));
    return isDone ? { changed: outcome } : undefined;
  });
  return changed;
}

async function commit(table: Table, items: TransactItem[]): Promise<boolean> {
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: items }));
    return true;
  } catch (error) {
    // A cancelled transaction has written nothing. After a lost response the outcome is unknown, so it is not repeated here.
    const isLostRace = error instanceof TransactionCanceledException && isTableUnavailable(error);
    if (isConditionFailure(error) || isLostRace) return false;
    throw error;
  }
}

/** For this long the API says that a key has expired. After that the key is unknown. */
const retainExpiredSeconds = 30 * 86_400;

/** Every change also removes keys that expired long ago from the AUTH item: they make each request's write more expensive. */
function transaction(table: Table, keySet: KeySet, { add, changes }: KeyWrite, nowMs: number): TransactItem[] {
  const revoked = changes.filter(({ revokedUnix }) => typeof revokedUnix === 'number').map(({ keyId }) => keyId);
  const removedKeyIds = [
    ...new Set([...expiredKeyIds(keySet, Math.floor(nowMs / 1000) - retainExpiredSeconds), ...revoked]),
  ];
  const expiries = changes.filter(({ keyId, expiresUnix }) => expiresUnix != null && !removedKeyIds.includes(keyId));
  return [
    updateKeySet(table, keySet, { ...(add === undefined ? {} : { add }), expiries, removedKeyIds }, nowMs),
    ...(add === undefined ? [] : [putKeyRow(table, add.row)]),
    ...withLastUses(keySet, changes, removedKeyIds).map((change) => changeKeyRow(table, keySet.orgId, change)),
  ];
}

/** The counts are removed with the key, so its last use is copied to its row. */
function withLastUses(
  keySet: KeySet,
  changes: readonly KeyRowChange[],
  removedKeyIds: readonly string[],
): KeyRowChange[] {
  const byKeyId = new Map(changes.map((change) => [change.keyId, change]));
  for (const keyId of removedKeyIds) {
    const lastUsedUnix = lastUseOf(keySet, keyId);
    if (lastUsedUnix !== null) byKeyId.set(keyId, { ...byKeyId.get(keyId), keyId, lastUsedUnix });
  }
  return [...byKeyId.values()];
}
