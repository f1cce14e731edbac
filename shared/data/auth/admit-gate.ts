import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import {
  type GateWindowName,
  type WindowState,
  windowIndex,
  windowRules,
  windowState,
} from '../../domain/auth/rate-windows.ts';
import type { GateBounds } from '../../domain/gates/gate.ts';
import { gateAuthKey, type ItemKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry.ts';
import { allOrSome } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { PresentedKey } from './admit-key.ts';
import {
  type AuthItem,
  countAttribute,
  countOf,
  expiryAttribute,
  hasExpired,
  hashAttribute,
  hasKey,
  staleCounts,
} from './auth-item.ts';

const window: GateWindowName = 'gate_minute';

const ids = allOrSome(v.number());
const Bounds = v.object({ gates: ids, events: ids, offline: v.optional(v.boolean(), false) });

/** The authentication item of a gate token: the attributes of an API key's item, and the gates and events it is valid for. */
export function gateAuthItem(
  { orgId, keyId, hash }: PresentedKey,
  { gates, events, offline, expiresUnix }: GateBounds & { readonly expiresUnix: number | null },
): ItemKey & Readonly<Record<string, unknown>> {
  return {
    ...gateAuthKey(orgId, keyId),
    [hashAttribute(keyId)]: hash,
    ...(expiresUnix !== null && { [expiryAttribute(keyId)]: expiresUnix }),
    gates,
    events,
    ...(offline && { offline }),
  };
}

interface RecognisedGate {
  readonly bounds: GateBounds;
  readonly windows: readonly WindowState[];
}

export type GateAdmission =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'expired' }
  | ({ readonly outcome: 'exhausted' } & RecognisedGate)
  | ({ readonly outcome: 'admitted'; readonly staleCounts: readonly string[] } & RecognisedGate);

/**
 * Admits one request of a gate, as `admitKey` does for API keys: one conditional write checks that the token is known, has not
 * expired and is below its limit per minute, and counts the request. A refused request changes nothing.
 */
export async function admitGate(table: Table, token: PresentedKey, nowMs: number): Promise<GateAdmission> {
  const { keyId, hash } = token;
  const count = new UpdateCommand({
    TableName: table.name,
    Key: gateAuthKey(token.orgId, keyId),
    UpdateExpression: 'ADD #minute :one',
    ConditionExpression:
      '#hash = :hash AND (attribute_not_exists(#expiry) OR #expiry > :now) AND (attribute_not_exists(#minute) OR #minute < :limit)',
    ExpressionAttributeNames: {
      '#hash': hashAttribute(keyId),
      '#expiry': expiryAttribute(keyId),
      '#minute': minuteAttribute(keyId, nowMs),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ':hash': hash,
      ':now': Math.floor(nowMs / 1000),
      ':limit': windowRules[window].limit,
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes: item = {} } = await retryConflicts(() => table.client.send(count));
    return { outcome: 'admitted', ...recognised(item, keyId, nowMs), staleCounts: staleCounts(item, nowMs) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const item = error.Item === undefined ? undefined : unmarshall(error.Item);
    if (item === undefined || !hasKey(item, keyId, hash)) return { outcome: 'unknown' };
    if (hasExpired(item, keyId, Math.floor(nowMs / 1000))) return { outcome: 'expired' };
    return { outcome: 'exhausted', ...recognised(item, keyId, nowMs) };
  }
}

function recognised(item: AuthItem, keyId: string, nowMs: number): RecognisedGate {
  return {
    bounds: v.parse(Bounds, item),
    windows: [windowState(window, countOf(item, minuteAttribute(keyId, nowMs)), nowMs)],
  };
}

/** The count of a gate token uses the same attribute name as the minute count of an API key. */
function minuteAttribute(keyId: string, nowMs: number): string {
  return countAttribute('key_minute', keyId, windowIndex(window, nowMs));
}
