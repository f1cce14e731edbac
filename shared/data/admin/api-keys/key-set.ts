import * as v from 'valibot';
import { windowIndex, windowRules } from '../../../domain/auth/rate-windows.ts';
import {
  type AuthItem,
  countAttribute,
  encodeScopes,
  expiryAttribute,
  hasExpired,
  hashAttribute,
  lastUsedMinutes,
  parseCountAttribute,
  scopesAttribute,
} from '../../auth/auth-item.ts';
import { getItem } from '../../table/get-item.ts';
import { authKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { ApiKeyRecord, KeyRowChange, TransactItem } from './row.ts';

/** `issued` counts the issued key ids, so none is issued twice. `version` is incremented with each change of the keys. */
const KeyAttributes = v.object({ version: v.number(), issued: v.optional(v.number(), 0) });

/** The AUTH item of an organisation, with what a change of its keys needs. */
export interface KeySet extends v.InferOutput<typeof KeyAttributes> {
  readonly orgId: string;
  readonly item: AuthItem;
}

export async function readKeySet(table: Table, orgId: string): Promise<KeySet | undefined> {
  const item = await getItem(table, authKey(orgId), { consistent: true });
  return item === undefined ? undefined : { orgId, item, ...v.parse(KeyAttributes, item) };
}

const hashPattern = /^h([0-9a-z]{1,4})$/;

function storedKeyIds({ item }: KeySet): string[] {
  return Object.keys(item).flatMap((attribute) => hashPattern.exec(attribute)?.[1] ?? []);
}

export function expiredKeyIds(keySet: KeySet, nowUnix: number): string[] {
  return storedKeyIds(keySet).filter((keyId) => hasExpired(keySet.item, keyId, nowUnix));
}

export function liveKeyIds(keySet: KeySet, nowUnix: number): string[] {
  return storedKeyIds(keySet).filter((keyId) => !hasExpired(keySet.item, keyId, nowUnix));
}

/** The row of a key with its last use, which the AUTH item contains as long as it contains the key. */
export function withLastUse(row: ApiKeyRecord, keySet: KeySet): ApiKeyRecord {
  return { ...row, lastUsedUnix: row.lastUsedUnix ?? lastUseOf(keySet, row.keyId) };
}

/** The start of the minute in which a request of the key was last counted; null if the AUTH item has no count of it. */
export function lastUseOf({ item }: KeySet, keyId: string): number | null {
  const minute = lastUsedMinutes(item).get(keyId);
  return minute === undefined ? null : minute * windowRules.key_minute.seconds;
}

export interface KeySetChange {
  readonly add?: { readonly row: ApiKeyRecord; readonly hash: Uint8Array; readonly issued: number };
  readonly expiries: readonly KeyRowChange[];
  readonly removedKeyIds: readonly string[];
}

/** The update of the AUTH item in a change of keys. Its condition refuses the transaction if another change came first. */
export function updateKeySet(table: Table, keySet: KeySet, change: KeySetChange, nowMs: number): TransactItem {
  const { add, expiries, removedKeyIds } = change;
  const set = new Map<string, unknown>([['version', keySet.version + 1]]);
  for (const { keyId, expiresUnix } of expiries) set.set(expiryAttribute(keyId), expiresUnix);
  if (add !== undefined) {
    set.set('issued', add.issued);
    set.set(hashAttribute(add.row.keyId), add.hash);
    set.set(scopesAttribute(add.row.keyId), encodeScopes(add.row.scopes));
    if (add.row.expiresUnix !== null) set.set(expiryAttribute(add.row.keyId), add.row.expiresUnix);
  }
  const removed = removedKeyIds.flatMap((keyId) => attributesOf(keySet, keyId));
  const unseen = removedKeyIds.flatMap((keyId) => unseenMinutes(keySet, keyId, nowMs));

  const attributes = [...set.keys(), ...removed, ...unseen];
  const name = (attribute: string): string => `#${attributes.indexOf(attribute)}`;
  const value = (attribute: string): string => `:${attributes.indexOf(attribute)}`;
  const assignments = [...set.keys()].map((attribute) => `${name(attribute)} = ${value(attribute)}`);
  const remove = removed.length === 0 ? '' : ` REMOVE ${removed.map(name).join(', ')}`;
  return {
    Update: {
      TableName: table.name,
      Key: authKey(keySet.orgId),
      UpdateExpression: `SET ${assignments.join(', ')}${remove}`,
      ConditionExpression: [
        `${name('version')} = :version`,
        ...unseen.map((attribute) => `attribute_not_exists(${name(attribute)})`),
      ].join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((attribute) => [name(attribute), attribute])),
      ExpressionAttributeValues: {
        ':version': keySet.version,
        ...Object.fromEntries([...set].map(([attribute, content]) => [value(attribute), content])),
      },
    },
  };
}

function attributesOf({ item }: KeySet, keyId: string): string[] {
  const own = [hashAttribute(keyId), scopesAttribute(keyId), expiryAttribute(keyId)];
  return Object.keys(item).filter(
    (attribute) => own.includes(attribute) || parseCountAttribute(attribute)?.keyId === keyId,
  );
}

/**
 * Counting does not change the version, so a request may be counted between the read and the write. In a minute that was read,
 * its count is removed with the others. In a newer minute the count would stay forever and the recorded last use would be
 * wrong, so the condition requires that those minutes do not exist. One minute on either side allows for differing clocks.
 */
function unseenMinutes({ item }: KeySet, keyId: string, nowMs: number): string[] {
  const minute = windowIndex('key_minute', nowMs);
  return [minute - 1, minute, minute + 1]
    .map((index) => countAttribute('key_minute', keyId, index))
    .filter((attribute) => !(attribute in item));
}
