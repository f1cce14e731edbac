import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type WindowState,
  windowIndex,
  windowNames,
  windowRules,
  windowState,
} from '../../domain/auth/rate-windows.ts';
import type { Scope } from '../../domain/auth/scopes.ts';
import { getItem } from '../table/get-item.ts';
import { authKey, type ItemKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import {
  type AuthItem,
  countAttribute,
  countOf,
  expiryAttribute,
  hasExpired,
  hashAttribute,
  hasKey,
  limitAttribute,
  limitOf,
  scopesOf,
  staleCounts,
} from './auth-item.ts';

export interface PresentedKey {
  readonly orgId: string;
  readonly keyId: string;
  readonly hash: Uint8Array;
}

export interface Recognised {
  readonly scopes: readonly Scope[];
  readonly windows: readonly WindowState[];
}

type UnknownKey = { readonly outcome: 'unknown' } | { readonly outcome: 'expired' };

export type Inspection = UnknownKey | ({ readonly outcome: 'recognised' } & Recognised);

export type Admission =
  | UnknownKey
  | ({ readonly outcome: 'exhausted' } & Recognised)
  | ({ readonly outcome: 'admitted'; readonly staleCounts: readonly string[] } & Recognised);

/** The organisation's own limit, which is part of the same item, or else that of the specification. */
const windowConditions = windowNames.map(
  (name) =>
    `(attribute_not_exists(#${name}) OR #${name} < #limit_${name} OR (attribute_not_exists(#limit_${name}) AND #${name} < :${name}))`,
);
const limitNames = Object.fromEntries(windowNames.map((name) => [`#limit_${name}`, limitAttribute(name)]));

/**
 * Admits one request: the key's hash, its expiry and all three limits are the condition of the one write that counts the
 * request. Nothing is read before it, nothing is cached, and a refused request changes nothing.
 */
export async function admitKey(table: Table, key: PresentedKey, nowMs: number): Promise<Admission> {
  const limits = windowNames.map((name) => [`:${name}`, windowRules[name].limit]);
  const counts = windowNames.map((name) => [`#${name}`, countAttribute(name, key.keyId, windowIndex(name, nowMs))]);
  try {
    const count = new UpdateCommand({
      TableName: table.name,
      Key: authKey(key.orgId),
      UpdateExpression: `ADD ${windowNames.map((name) => `#${name} :one`).join(', ')}`,
      ConditionExpression: [
        '#hash = :hash',
        '(attribute_not_exists(#expiry) OR #expiry > :now)',
        ...windowConditions,
      ].join(' AND '),
      ExpressionAttributeNames: {
        '#hash': hashAttribute(key.keyId),
        '#expiry': expiryAttribute(key.keyId),
        ...Object.fromEntries(counts),
        ...limitNames,
      },
      ExpressionAttributeValues: {
        ':one': 1,
        ':hash': key.hash,
        ':now': Math.floor(nowMs / 1000),
        ...Object.fromEntries(limits),
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const { Attributes } = await retryConflicts(() => table.client.send(count));
    const item: AuthItem = Attributes ?? {};
    return { outcome: 'admitted', ...recognised(item, key.keyId, nowMs), staleCounts: staleCounts(item, nowMs) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const inspection = evaluateKey(error.Item === undefined ? undefined : unmarshall(error.Item), key, nowMs);
    return inspection.outcome === 'recognised' ? { ...inspection, outcome: 'exhausted' } : inspection;
  }
}

/** Authenticates a key without counting the request, for the operation that must work even when the limits are reached. */
export async function inspectKey(table: Table, key: PresentedKey, nowMs: number): Promise<Inspection> {
  return evaluateKey(await getItem(table, authKey(key.orgId), { consistent: true }), key, nowMs);
}

/** Reverses the count of a request that was admitted at this time, because the request turned out not to count. */
export async function uncount(table: Table, key: PresentedKey, admittedMs: number): Promise<Recognised> {
  const counts = windowNames.map((name) => [
    `#${name}`,
    countAttribute(name, key.keyId, windowIndex(name, admittedMs)),
  ]);
  const update = new UpdateCommand({
    TableName: table.name,
    Key: authKey(key.orgId),
    UpdateExpression: `ADD ${windowNames.map((name) => `#${name} :less`).join(', ')}`,
    // A count that `removeCounts` has removed in the meantime must not be created again with a negative value.
    ConditionExpression: windowNames.map((name) => `#${name} > :none`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(counts),
    ExpressionAttributeValues: { ':less': -1, ':none': 0 },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes = {} } = await retryConflicts(() => table.client.send(update));
  return recognised(Attributes, key.keyId, admittedMs);
}

/** Removes counts of past windows: they make the item larger, and every later write would pay for its size. */
export async function removeCounts(table: Table, Key: ItemKey, attributes: readonly string[]): Promise<void> {
  const names = attributes.map((attribute, index) => [`#${index}`, attribute]);
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key,
      UpdateExpression: `REMOVE ${names.map(([name]) => name).join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(names),
    }),
  );
}

function evaluateKey(item: AuthItem | undefined, key: PresentedKey, nowMs: number): Inspection {
  if (item === undefined || !hasKey(item, key.keyId, key.hash)) return { outcome: 'unknown' };
  if (hasExpired(item, key.keyId, Math.floor(nowMs / 1000))) return { outcome: 'expired' };
  return { outcome: 'recognised', ...recognised(item, key.keyId, nowMs) };
}

function recognised(item: AuthItem, keyId: string, nowMs: number): Recognised {
  return {
    scopes: scopesOf(item, keyId),
    windows: windowNames.map((name) =>
      windowState(
        name,
        countOf(item, countAttribute(name, keyId, windowIndex(name, nowMs))),
        nowMs,
        limitOf(item, name),
      ),
    ),
  };
}
