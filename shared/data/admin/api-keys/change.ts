import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../../platform/fault.ts';
import { isConditionFailure, isTableUnavailable } from '../../table/failures.ts';
import type { Table } from '../../table/table.ts';
import { expiredKeyIds, type KeySet, type KeySetChange, lastUseOf, readKeySet, updateKeySet } from './key-set.ts';
import { changeKeyRow, type KeyRowChange, putKeyRow, type TransactItem } from './row.ts';

/** What a change of keys writes. The door's attributes follow from the rows, so that the two cannot disagree. */
export interface KeyWrite extends Pick<KeySetChange, 'add'> {
  readonly changes: readonly KeyRowChange[];
}

export interface Decision<Outcome> {
  /** Absent when there is nothing to write: a refusal, or a change that was made before. */
  readonly write?: KeyWrite;
  readonly outcome: Outcome;
}

export type OrganisationMissing = { readonly outcome: 'organisation_missing' };
export type KeyMissing = { readonly outcome: 'key_missing' };
export type LimitReached = { readonly outcome: 'limit_reached' };

interface Subject {
  readonly orgId: string;
  readonly nowMs: number;
}

/** Each round lets at least one of the racers through, so this many may change one organisation's keys at once. */
const maxAttempts = 60;

/**
 * Reads the door, lets `decide` judge it, and writes door and rows in one transaction that holds only if the keys are still
 * as they were read. Whoever loses that race reads and decides anew, which makes the limit of keys exact. A crash leaves
 * either nothing or all of it.
 */
export async function changeKeys<Outcome>(
  table: Table,
  { orgId, nowMs }: Subject,
  decide: (keySet: KeySet) => Decision<Outcome> | Promise<Decision<Outcome>>,
): Promise<Outcome | OrganisationMissing> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const keySet = await readKeySet(table, orgId);
    if (keySet === undefined) return { outcome: 'organisation_missing' };
    const { write, outcome } = await decide(keySet);
    if (write === undefined || (await commit(table, transaction(table, keySet, write, nowMs)))) return outcome;
    await sleep(randomInt(Math.min(250, 10 * attempt)));
  }
  throw new Fault(`Too many concurrent changes to the keys of ${orgId}. Nothing was changed. Try again.`);
}

async function commit(table: Table, items: TransactItem[]): Promise<boolean> {
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: items }));
    return true;
  } catch (error) {
    // A cancelled transaction has certainly written nothing. Of a lost answer nobody knows, so that one is not repeated here.
    const isLostRace = error instanceof TransactionCanceledException && isTableUnavailable(error);
    if (isConditionFailure(error) || isLostRace) return false;
    throw error;
  }
}

/** How long the door still tells the holder of an expired key that it has expired, before it is unknown. */
const rememberedSeconds = 30 * 86_400;

/** Keys that expired long ago leave the door with whatever change comes next: they are dead weight in every request's write. */
function transaction(table: Table, keySet: KeySet, { add, changes }: KeyWrite, nowMs: number): TransactItem[] {
  const revoked = changes.filter(({ revokedUnix }) => typeof revokedUnix === 'number').map(({ keyId }) => keyId);
  const removedKeyIds = [
    ...new Set([...expiredKeyIds(keySet, Math.floor(nowMs / 1000) - rememberedSeconds), ...revoked]),
  ];
  const expiries = changes.filter(({ keyId, expiresUnix }) => expiresUnix != null && !removedKeyIds.includes(keyId));
  return [
    updateKeySet(table, keySet, { ...(add === undefined ? {} : { add }), expiries, removedKeyIds }, nowMs),
    ...(add === undefined ? [] : [putKeyRow(table, add.row)]),
    ...withLastUses(keySet, changes, removedKeyIds).map((change) => changeKeyRow(table, keySet.orgId, change)),
  ];
}

/** The door's counts go with the key, so its last use moves into its row. */
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
