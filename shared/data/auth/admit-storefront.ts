import { randomInt } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { keyModes } from '../../domain/auth/api-keys.ts';
import {
  type StorefrontWindowName,
  type WindowState,
  windowIndex,
  windowRules,
  windowState,
} from '../../domain/auth/rate-windows.ts';
import { defaultStorefrontLimits, type StorefrontLimits } from '../../domain/auth/storefront.ts';
import { BriefMemory } from '../table/brief-memory.ts';
import { getItem } from '../table/get-item.ts';
import { storefrontTokenKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry.ts';
import { storedEnum } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { PresentedKey } from './admit-key.ts';
import { type AuthItem, countAttribute, countOf, hasExpired, hashAttribute, hasKey, staleCounts } from './auth-item.ts';
import {
  type CountedSource,
  countSource,
  type LimitedSource,
  type StorefrontSource,
  uncountSource,
} from './storefront-counts.ts';

/** What a request with a storefront token is decided by. The rest of the item is for the CLI. */
const StoredToken = v.object({
  mode: storedEnum(keyModes, 'test'),
  origins: v.array(v.string()),
  perMinute: v.number(),
  perAddress: v.optional(v.number(), defaultStorefrontLimits.perAddress),
  maxBaskets: v.optional(v.number(), defaultStorefrontLimits.maxBaskets),
  maxHeld: v.number(),
  /** The key that signs the tokens of baskets. */
  basketKey: v.instance(Uint8Array),
  revokedUnix: v.nullable(v.number()),
});
export type StorefrontToken = v.InferOutput<typeof StoredToken>;

export type StorefrontAdmission =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'expired' }
  | {
      readonly outcome: 'exhausted' | 'admitted';
      readonly token: StorefrontToken;
      readonly windows: readonly WindowState<StorefrontWindowName>[];
      readonly counted: readonly CountedSource[];
      readonly staleCounts: readonly string[];
    };

/**
 * Admits one request with a storefront token: one call reads the token while others count the request for its sources, on the
 * condition that the limit of the source is not reached. None waits for another. The item that counts a source exists for one
 * window, so no item grows, and the requests of one source never conflict with those of another.
 *
 * The ceiling of the token is counted by sampling. A sampled request adds its weight to the token, and the same write returns
 * the token, so it replaces the read. Requests for a basket by its buyer do not count against the ceiling: a flood with the
 * token must not stop those who are about to pay.
 */
export async function admitStorefront(
  table: Table,
  presented: PresentedKey,
  sources: readonly StorefrontSource[],
  nowMs: number,
): Promise<StorefrontAdmission> {
  const isForBasket = sources.some(({ window }) => window === 'basket_minute');
  const known = knownLimits(presented);
  const [{ item, isFresh }, firstCounts] = await Promise.all([
    isForBasket ? readToken(table, presented, nowMs) : readAndSample(table, presented, nowMs),
    Promise.all(sources.map((source) => countSource(table, presented, limited(source, known), nowMs))),
  ]);
  if (item === undefined || !hasKey(item, presented.keyId, presented.hash)) return { outcome: 'unknown' };
  const token = v.parse(StoredToken, item);
  if (token.revokedUnix !== null) return { outcome: 'unknown' };
  if (hasExpired(item, presented.keyId, Math.floor(nowMs / 1000))) return { outcome: 'expired' };
  rememberLimits(presented, token);
  const counts = await Promise.all(
    sources.map(async (each, index) => {
      const source = limited(each, token);
      const first = firstCounts[index];
      // The instance did not know yet that the token allows more.
      const isOutdated = first === undefined && source.limit > limitOf(known, each);
      return { source, count: isOutdated ? await countSource(table, presented, source, nowMs) : first };
    }),
  );
  const sampled = countOf(item, minuteAttribute(presented, nowMs));
  const ceiling = windowState('storefront_minute', sampled, nowMs, token.perMinute);
  const isFull = counts.some(({ source, count }) => count === undefined || count.used > source.limit);
  const isCeilingReached = !isForBasket && sampled > token.perMinute;
  return {
    outcome: isFull || isCeilingReached ? 'exhausted' : 'admitted',
    token,
    windows: [
      ...counts.map(({ source: { window, limit }, count }) => windowState(window, count?.used ?? limit, nowMs, limit)),
      ...(isForBasket ? [] : [ceiling]),
    ],
    counted: counts.map(({ source, count }) => ({ ...source, added: count?.added ?? 0 })),
    // Whoever has read the item removes them, once.
    staleCounts: isFresh ? staleCounts(item, nowMs) : [],
  };
}

interface ReadToken {
  readonly item: AuthItem | undefined;
  /** Whether this request has read it. */
  readonly isFresh: boolean;
}

/**
 * The items of tokens with the limits of a sale. DynamoDB serves 3,000 reads a second of one item, fewer than a large opening has
 * requests. Limits, origins and a revocation then take effect a second later, and the ceiling is approximate anyway.
 */
const saleMemory = new BriefMemory<AuthItem | undefined>(1_000);

async function readToken(table: Table, presented: PresentedKey, nowMs: number): Promise<ReadToken> {
  const { orgId, keyId } = presented;
  const isInSale = knownLimits(presented).perMinute > defaultStorefrontLimits.perMinute;
  const look = () => getItem(table, storefrontTokenKey(orgId, keyId), { consistent: !isInSale });
  if (!isInSale) return { item: await look(), isFresh: true };
  let isFresh = false;
  const item = await saleMemory.read(table, { name: `${orgId}#${keyId}`, nowMs }, () => {
    isFresh = true;
    return look();
  });
  return { item, isFresh };
}

/** The ceiling is the sum of about this many samples, so its error is a few per cent. */
const samplesPerMinute = 1_000;

type Limits = Pick<StorefrontLimits, 'perMinute' | 'perAddress' | 'maxBaskets'>;

/**
 * The limits of the tokens that this instance has seen. They decide how many requests share one write, and when a count is full
 * without a second call. The token itself decides; it is read with every request, and in a sale once a second.
 */
const rememberedLimits = new Map<string, Limits>();
const maxRemembered = 1_000;

function rememberLimits({ orgId, keyId }: PresentedKey, { perMinute, perAddress, maxBaskets }: Limits): void {
  if (rememberedLimits.size >= maxRemembered) rememberedLimits.clear();
  rememberedLimits.set(`${orgId}#${keyId}`, { perMinute, perAddress, maxBaskets });
}

function knownLimits({ orgId, keyId }: PresentedKey): Limits {
  return rememberedLimits.get(`${orgId}#${keyId}`) ?? { ...defaultStorefrontLimits, perMinute: 0 };
}

const limited = (source: StorefrontSource, limits: Limits): LimitedSource => ({
  ...source,
  limit: limitOf(limits, source),
});

function limitOf({ perAddress, maxBaskets }: Limits, { window }: StorefrontSource): number {
  switch (window) {
    case 'address_minute':
      return perAddress;
    case 'address_baskets':
      return maxBaskets;
    default:
      return windowRules[window].limit;
  }
}

/** One of so many requests is written, for all of them. */
function sampleWeight(presented: PresentedKey): number {
  return Math.max(1, Math.floor(knownLimits(presented).perMinute / samplesPerMinute));
}

async function readAndSample(table: Table, presented: PresentedKey, nowMs: number): Promise<ReadToken> {
  const weight = sampleWeight(presented);
  if (randomInt(weight) > 0) return readToken(table, presented, nowMs);
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
    return { item: Attributes, isFresh: true };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { item: undefined, isFresh: true };
    throw error;
  }
}

/** The count of a token uses the same attribute name as the minute count of an API key. */
function minuteAttribute({ keyId }: PresentedKey, nowMs: number): string {
  return countAttribute('key_minute', keyId, windowIndex('storefront_minute', nowMs));
}

/** Reverses the counts of a request that was admitted at this time, because the request turned out not to count. */
export async function uncountStorefront(
  table: Table,
  presented: PresentedKey,
  { counted, windows }: Extract<StorefrontAdmission, { outcome: 'admitted' | 'exhausted' }>,
  admittedMs: number,
): Promise<readonly WindowState[]> {
  const undone = counted
    .filter(({ added }) => added > 0)
    .map((source) => uncountSource(table, presented, source, admittedMs));
  const changed = await Promise.all(undone);
  return windows.map((state) => changed.find(({ name }) => name === state.name) ?? state);
}
