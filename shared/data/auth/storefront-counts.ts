import { randomInt } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type WindowState, windowIndex, windowRules, windowState } from '../../domain/auth/rate-windows.ts';
import { getItem } from '../table/get-item.ts';
import { storefrontCountKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { PresentedKey } from './admit-key.ts';

/** The token whose requests are counted. */
type CountedKey = Pick<PresentedKey, 'orgId' | 'keyId'>;

/** What a request counts against: the client's address, or the basket that it is for. */
export interface StorefrontSource {
  readonly window: 'address_minute' | 'address_baskets' | 'address_codes' | 'basket_minute' | 'basket_codes';
  readonly id: string;
}

/** A source with the limit of its window. */
export interface LimitedSource extends StorefrontSource {
  readonly limit: number;
}

/** A source with what a request has added to its count. */
export interface CountedSource extends LimitedSource {
  readonly added: number;
}

/** After the end of the window. Longer than any difference between clocks. */
const countKeptSeconds = 3_600;

const Count = v.object({ requests: v.number() });

interface Counted {
  /** The requests of the window. */
  readonly used: number;
  /** What this request has added to them. */
  readonly added: number;
}

/**
 * Counts a request of its source; undefined if the limit is reached. Up to the default limit every request is written, and the
 * count is exact. Above it, one request in some is written for all of them and the others read, so an address of a mobile
 * network, behind which thousands of buyers are, never becomes a busy item.
 */
export async function countSource(
  table: Table,
  presented: CountedKey,
  source: LimitedSource,
  nowMs: number,
): Promise<Counted | undefined> {
  const { limit } = source;
  const weight = Math.max(1, Math.floor(limit / windowRules[source.window].limit));
  if (randomInt(weight) > 0) return readCount(table, presented, source, nowMs);
  const count = new UpdateCommand({
    TableName: table.name,
    Key: countKey(presented, source, nowMs),
    UpdateExpression: 'ADD requests :weight SET #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(requests) OR requests < :limit',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':weight': weight,
      ':limit': limit,
      ':ttl': windowState(source.window, 0, nowMs).resetsAtUnix + countKeptSeconds,
    },
    ReturnValues: 'ALL_NEW',
  });
  try {
    const { Attributes } = await retryConflicts(() => table.client.send(count));
    return { used: Math.min(limit, v.parse(Count, Attributes).requests), added: weight };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

const countKey = ({ orgId, keyId }: CountedKey, { window, id }: StorefrontSource, nowMs: number) =>
  storefrontCountKey(orgId, keyId, id, windowIndex(window, nowMs));

/** Reads the count of a source without adding to it; undefined if the limit is reached. */
async function readCount(
  table: Table,
  presented: CountedKey,
  source: LimitedSource,
  nowMs: number,
): Promise<Counted | undefined> {
  const item = await getItem(table, countKey(presented, source, nowMs));
  const { requests } = v.parse(Count, item ?? { requests: 0 });
  return requests >= source.limit ? undefined : { used: requests, added: 0 };
}

/** Reverses what a request has added to the count of its source. Returns the window after that. */
export async function uncountSource(
  table: Table,
  presented: CountedKey,
  source: CountedSource,
  countedMs: number,
): Promise<WindowState> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: countKey(presented, source, countedMs),
    UpdateExpression: 'ADD requests :less',
    ConditionExpression: 'requests >= :added',
    ExpressionAttributeValues: { ':less': -source.added, ':added': source.added },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await retryConflicts(() => table.client.send(update));
  return windowState(source.window, v.parse(Count, Attributes).requests, countedMs, source.limit);
}
