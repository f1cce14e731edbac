import { randomBytes, randomInt } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type KeyMode, keyModes, overlapEnd } from '../../domain/auth/api-keys.ts';
import { windowRules } from '../../domain/auth/rate-windows.ts';
import { defaultStorefrontLimits, type StorefrontLimits } from '../../domain/auth/storefront.ts';
import { type AuthItem, expiryAttribute, hashAttribute, lastUsedMinutes } from '../auth/auth-item.ts';
import { readBasketKey } from '../auth/valid-storefront-tokens.ts';
import { batchGet } from '../table/batch-get.ts';
import { isConditionFailure } from '../table/failures.ts';
import { storefrontTokenIdKey, storefrontTokenIdsPartition, storefrontTokenKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { retryRaces } from '../table/retry.ts';
import { storedEnum } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';

/** The fields of a storefront token that the platform team sets. */
export interface StorefrontTokenFields extends StorefrontLimits {
  readonly label: string | null;
  readonly mode: KeyMode;
  readonly origins: readonly string[];
}

export interface StorefrontTokenRecord extends StorefrontTokenFields {
  readonly tokenId: string;
  /** The whole token. Every visitor of the shop can read it, so it is stored and can be shown again. */
  readonly text: string;
  readonly signer: string;
  readonly createdUnix: number;
  readonly expiresUnix: number | null;
  readonly revokedUnix: number | null;
  /** The id of the token that this one replaces. */
  readonly rotatedFrom: string | null;
  /** To the minute. Not every request is recorded. */
  readonly lastUsedUnix: number | null;
}

const StoredToken = v.object({
  tokenId: v.string(),
  text: v.string(),
  signer: v.string(),
  label: v.nullable(v.string()),
  mode: storedEnum(keyModes, 'test'),
  origins: v.array(v.string()),
  perMinute: v.number(),
  perAddress: v.optional(v.number(), defaultStorefrontLimits.perAddress),
  maxBaskets: v.optional(v.number(), defaultStorefrontLimits.maxBaskets),
  maxHeld: v.number(),
  createdUnix: v.number(),
  revokedUnix: v.nullable(v.number()),
  rotatedFrom: v.nullable(v.string()),
});

function parseToken(item: AuthItem): StorefrontTokenRecord {
  const token = v.parse(StoredToken, item);
  const expiry = item[expiryAttribute(token.tokenId)];
  const minute = lastUsedMinutes(item).get(token.tokenId);
  return {
    ...token,
    expiresUnix: typeof expiry === 'number' ? expiry : null,
    lastUsedUnix: minute === undefined ? null : minute * windowRules.storefront_minute.seconds,
  };
}

/** Creates the text and the hash of a token with this id, and signs it. The format of tokens is defined in `shared/http`. */
export type MakeStorefrontToken = (
  orgId: string,
  tokenId: string,
) => { readonly text: string; readonly hash: Uint8Array; readonly signer: string };

interface NewStorefrontToken extends StorefrontTokenFields {
  readonly orgId: string;
  readonly nowUnix: number;
}

/**
 * Issues a token with a new id. Ids are not reused, because revoked tokens stay. One transaction writes it and its list entry. All
 * tokens of an organisation sign basket tokens with one key, so the link to a basket works in each of its shops.
 */
export async function issueStorefrontToken(
  table: Table,
  fields: NewStorefrontToken,
  make: MakeStorefrontToken,
): Promise<StorefrontTokenRecord> {
  const { orgId, nowUnix } = fields;
  const basketKey = (await readBasketKey(table, orgId, nowUnix)) ?? randomBytes(32);
  return issue(table, fields, make, { rotatedFrom: null, basketKey });
}

function issue(
  table: Table,
  { orgId, nowUnix, ...fields }: NewStorefrontToken,
  make: MakeStorefrontToken,
  origin: { readonly rotatedFrom: string | null; readonly basketKey: Uint8Array },
): Promise<StorefrontTokenRecord> {
  return retryRaces('list of storefront tokens', async () => {
    const tokenId = randomInt(36 ** 3, 36 ** 4).toString(36);
    const { text, hash, signer } = make(orgId, tokenId);
    const item = {
      ...storefrontTokenKey(orgId, tokenId),
      ...fields,
      ...origin,
      tokenId,
      text,
      signer,
      createdUnix: nowUnix,
      revokedUnix: null,
      [hashAttribute(tokenId)]: hash,
    };
    const isNew = { TableName: table.name, ConditionExpression: 'attribute_not_exists(pk)' };
    const refusals = await transact(table, [
      { Put: { ...isNew, Item: storefrontTokenIdKey(orgId, tokenId) } },
      { Put: { ...isNew, Item: item } },
    ]);
    return refusals.length > 0 ? undefined : parseToken(item);
  });
}

/** Returns every storefront token that the organisation ever had, the oldest first. */
export async function listStorefrontTokens(table: Table, orgId: string): Promise<readonly StorefrontTokenRecord[]> {
  const items = await readItems(table, orgId);
  return items
    .map(parseToken)
    .sort((one, other) => one.createdUnix - other.createdUnix || (one.tokenId < other.tokenId ? -1 : 1));
}

async function readItems(table: Table, orgId: string): Promise<readonly AuthItem[]> {
  const ids = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': storefrontTokenIdsPartition(orgId) },
    ConsistentRead: true,
  });
  const keys = ids.map(({ sk }) => storefrontTokenKey(orgId, String(sk)));
  return batchGet(table, keys, { consistent: true });
}

interface TokenId {
  readonly orgId: string;
  readonly tokenId: string;
}

export type StorefrontTokenChange = Partial<Omit<StorefrontTokenFields, 'mode'>>;

export interface ChangedStorefrontToken {
  readonly outcome: 'changed' | 'unchanged';
  readonly token: StorefrontTokenRecord;
}

/** Changes the given fields. It takes effect at the next request. Undefined if there is no such token. */
export async function changeStorefrontToken(
  table: Table,
  id: TokenId,
  change: StorefrontTokenChange,
): Promise<ChangedStorefrontToken | undefined> {
  return setAttributes(table, id, change);
}

/** Takes effect at the next request, because nothing is cached. Undefined if there is no such token. Idempotent. */
export async function revokeStorefrontToken(
  table: Table,
  { nowUnix, ...id }: TokenId & { readonly nowUnix: number },
): Promise<ChangedStorefrontToken | undefined> {
  const before = await findToken(table, id);
  if (before === undefined || before.revokedUnix !== null) return before && { outcome: 'unchanged', token: before };
  return setAttributes(table, id, { revokedUnix: nowUnix });
}

export type RotatedStorefrontToken =
  | { readonly outcome: 'rotated'; readonly token: StorefrontTokenRecord; readonly old: StorefrontTokenRecord }
  | { readonly outcome: 'not_live' | 'missing' };

/**
 * Issues a token with the same origins and limits, and lets the old one expire after the overlap. Baskets that were opened with
 * one of the two can be paid with the other. After a crash in between both tokens are valid, and the rotation can be repeated.
 */
export async function rotateStorefrontToken(
  table: Table,
  { nowUnix, overlapSeconds, ...id }: TokenId & { readonly nowUnix: number; readonly overlapSeconds: number },
  make: MakeStorefrontToken,
): Promise<RotatedStorefrontToken> {
  const item = (await readItems(table, id.orgId)).find(({ tokenId }) => tokenId === id.tokenId);
  if (item === undefined) return { outcome: 'missing' };
  const { label, mode, origins, perMinute, perAddress, maxBaskets, maxHeld, ...dates } = parseToken(item);
  const { expiresUnix, revokedUnix } = dates;
  if (revokedUnix !== null || (expiresUnix !== null && expiresUnix <= nowUnix)) return { outcome: 'not_live' };
  const { basketKey } = v.parse(v.object({ basketKey: v.instance(Uint8Array) }), item);
  const limits = { perMinute, perAddress, maxBaskets, maxHeld };
  const fields = { orgId: id.orgId, nowUnix, label, mode, origins, ...limits };
  const token = await issue(table, fields, make, { rotatedFrom: id.tokenId, basketKey });
  const ended = await setAttributes(table, id, {
    [expiryAttribute(id.tokenId)]: overlapEnd(expiresUnix, nowUnix, overlapSeconds),
  });
  return ended === undefined ? { outcome: 'missing' } : { outcome: 'rotated', token, old: ended.token };
}

async function findToken(table: Table, { orgId, tokenId }: TokenId): Promise<StorefrontTokenRecord | undefined> {
  return (await listStorefrontTokens(table, orgId)).find((token) => token.tokenId === tokenId);
}

/** Sets only these attributes, because requests count on the same item. */
async function setAttributes(
  table: Table,
  id: TokenId,
  attributes: Readonly<Record<string, unknown>>,
): Promise<ChangedStorefrontToken | undefined> {
  const before = await findToken(table, id);
  if (before === undefined) return undefined;
  const set = Object.entries(attributes).filter(([, value]) => value !== undefined);
  try {
    const { Attributes = {} } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: storefrontTokenKey(id.orgId, id.tokenId),
        UpdateExpression: `SET ${set.map((_, index) => `#${index} = :${index}`).join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: Object.fromEntries(set.map(([name], index) => [`#${index}`, name])),
        ExpressionAttributeValues: Object.fromEntries(set.map(([, value], index) => [`:${index}`, value])),
        ReturnValues: 'ALL_NEW',
      }),
    );
    const token = parseToken(Attributes);
    const changed = Object.entries(token).some(
      ([name, value]) => name !== 'lastUsedUnix' && JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name)),
    );
    return { outcome: changed ? 'changed' : 'unchanged', token };
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}
