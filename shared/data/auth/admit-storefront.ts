import { randomInt } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { keyModes } from '../../domain/auth/api-keys.ts';
import {
  type StorefrontWindowName,
  type WindowState,
  windowIndex,
  windowRules,
  windowState,
} from '../../domain/auth/rate-windows.ts';
import { storefrontCountKey, storefrontTokenKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry.ts';
import { storedEnum } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { PresentedKey } from './admit.ts';
import {
  type AuthItem,
  countAttribute,
  countOf,
  hasExpired,
  hashAttribute,
  holdsKey,
  staleCounts,
} from './auth-item.ts';

/** What a request with a storefront token is decided by. The rest of the item is for the CLI. */
const StoredToken = v.object({
  mode: storedEnum(keyModes, 'test'),
  origins: v.array(v.string()),
  perMinute: v.number(),
  maxHeld: v.number(),
  /** The key that signs the tokens of baskets. */
  basketKey: v.instance(Uint8Array),
  revokedUnix: v.nullable(v.number()),
});
export type StorefrontToken = v.InferOutput<typeof StoredToken>;

/** What a request counts against: the client's address, or the basket whose token it presents. */
export interface StorefrontSource {
  readonly window: 'address_minute' | 'basket_minute';
  readonly id: string;
}

export type StorefrontAdmission =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'expired' }
  | {
      readonly outcome: 'exhausted' | 'admitted';
      readonly token: StorefrontToken;
      readonly windows: readonly WindowState<StorefrontWindowName>[];
      readonly staleCounts: readonly string[];
    };

/**
 * Admits one request with a storefront token: one call reads the token while another counts the request for its source, on the
 * condition that the limit of the source is not reached. Neither waits for the other. The item that counts a source exists for
 * one minute, so no item grows, and the requests of one source never conflict with those of another.
 *
 * The ceiling of the token is counted by sampling. A sampled request adds its weight to the token, and the same write returns
 * the token, so it replaces the read. Requests for a basket by its buyer do not count against the ceiling: a flood with the
 * token must not stop those who are about to pay.
 */
export async function admitStorefront(
  table: Table,
  presented: PresentedKey,
  source: StorefrontSource,
  nowMs: number,
): Promise<StorefrontAdmission> {
  const [item, used] = await Promise.all([
    source.window === 'address_minute' ? readAndSample(table, presented, nowMs) : readToken(table, presented),
    countSource(table, presented, source, nowMs),
  ]);
  if (item === undefined || !holdsKey(item, presented.keyId, presented.hash)) return { outcome: 'unknown' };
  const token = v.parse(StoredToken, item);
  if (token.revokedUnix !== null) return { outcome: 'unknown' };
  if (hasExpired(item, presented.keyId, Math.floor(nowMs / 1000))) return { outcome: 'expired' };
  const { limit } = windowRules[source.window];
  const ofSource = windowState(source.window, used ?? limit, nowMs);
  rememberCeiling(presented, token.perMinute);
  const sampled = countOf(item, minuteAttribute(presented, nowMs));
  const ceiling = windowState('storefront_minute', sampled, nowMs, token.perMinute);
  const isCeilingReached = source.window === 'address_minute' && sampled > token.perMinute;
  return {
    outcome: used === undefined || isCeilingReached ? 'exhausted' : 'admitted',
    token,
    windows: source.window === 'address_minute' ? [ofSource, ceiling] : [ofSource],
    staleCounts: staleCounts(item, nowMs),
  };
}

async function readToken(table: Table, { orgId, keyId }: PresentedKey): Promise<AuthItem | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: storefrontTokenKey(orgId, keyId), ConsistentRead: true }),
  );
  return Item;
}

/** The ceiling is the sum of about this many samples, so its error is a few per cent. */
const samplesPerMinute = 1_000;

/**
 * The ceilings of the tokens that this instance has seen. They only decide how many requests share one write: the expected sum
 * is the same with every weight, also with an outdated ceiling.
 */
const knownCeilings = new Map<string, number>();
const maxKnown = 1_000;

function rememberCeiling({ orgId, keyId }: PresentedKey, perMinute: number): void {
  if (knownCeilings.size >= maxKnown) knownCeilings.clear();
  knownCeilings.set(`${orgId}#${keyId}`, perMinute);
}

/** One of so many requests is written, for all of them. */
function sampleWeight({ orgId, keyId }: PresentedKey): number {
  return Math.max(1, Math.floor((knownCeilings.get(`${orgId}#${keyId}`) ?? 0) / samplesPerMinute));
}

async function readAndSample(table: Table, presented: PresentedKey, nowMs: number): Promise<AuthItem | undefined> {
  const weight = sampleWeight(presented);
  if (randomInt(weight) > 0) return readToken(table, presented);
  const add = new UpdateCommand({
    TableName: table.name,
    Key: storefrontTokenKey(presented.orgId, presented.keyId),
    UpdateExpression: 'ADD #minute :weight',
    ConditionExpression: '#hash = :hash',
    ExpressionAttributeNames: {
      '#minute': minuteAttribute(presented, nowMs),
      '#hash': hashAttribute(presented.keyId),
    },
    ExpressionAttributeValues: { ':weight': weight, ':hash': presented.hash },
    ReturnValues: 'ALL_NEW',
  });
  try {
    const { Attributes } = await retryConflicts(() => table.client.send(add));
    return Attributes;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** The count of a token uses the same attribute name as the minute count of an API key. */
function minuteAttribute({ keyId }: PresentedKey, nowMs: number): string {
  return countAttribute('key_minute', keyId, windowIndex('storefront_minute', nowMs));
}

/** Longer than any difference between clocks. */
const countKeptSeconds = 3_600;

const Count = v.object({ requests: v.number() });

/** Counts a request of its source. Returns the requests of the minute; undefined if the limit is reached. */
async function countSource(
  table: Table,
  { orgId, keyId }: PresentedKey,
  { window, id }: StorefrontSource,
  nowMs: number,
): Promise<number | undefined> {
  const count = new UpdateCommand({
    TableName: table.name,
    Key: storefrontCountKey(orgId, keyId, id, windowIndex(window, nowMs)),
    UpdateExpression: 'ADD requests :one SET #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(requests) OR requests < :limit',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':limit': windowRules[window].limit,
      ':ttl': Math.floor(nowMs / 1000) + countKeptSeconds,
    },
    ReturnValues: 'ALL_NEW',
  });
  try {
    const { Attributes } = await retryConflicts(() => table.client.send(count));
    return v.parse(Count, Attributes).requests;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** Reverses the count of a request that was admitted at this time, because the request turned out not to count. */
export async function uncountStorefront(
  table: Table,
  { orgId, keyId }: PresentedKey,
  { window, id }: StorefrontSource,
  admittedMs: number,
): Promise<WindowState> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: storefrontCountKey(orgId, keyId, id, windowIndex(window, admittedMs)),
    UpdateExpression: 'ADD requests :less',
    ConditionExpression: 'requests > :none',
    ExpressionAttributeValues: { ':less': -1, ':none': 0 },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await retryConflicts(() => table.client.send(update));
  return windowState(window, v.parse(Count, Attributes).requests, admittedMs);
}
