import * as v from 'valibot';
import { requestSeconds, type Withdrawal } from '../../domain/withdrawals/withdrawal.ts';
import { getItem } from '../table/get-item.ts';
import { personHash } from '../table/hash-key.ts';
import type { ItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import {
  announcedWithdrawalKey,
  askedWithdrawalKey,
  openWithdrawalKey,
  type TypedWithdrawal,
} from '../table/withdrawal-keys.ts';
import { withdrawalItem } from './row.ts';

/** The write of a withdrawal, on the condition that it has not changed since it was read. */
export function withdrawalPut(
  table: Table,
  orgId: string,
  before: Withdrawal | undefined,
  after: Withdrawal,
): TransactItem {
  return { Put: { TableName: table.name, Item: withdrawalItem(orgId, after), ...unchangedSince(before) } };
}

/** A withdrawal that opens is the only open one of each of its terms. */
export function openPuts(table: Table, orgId: string, { withdrawalId, termIds }: Withdrawal): readonly TransactItem[] {
  return termIds.map((termId) => ({
    Put: {
      TableName: table.name,
      Item: { ...openWithdrawalKey(orgId, termId), withdrawalId },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }));
}

/** The conditions that none of the terms has an open withdrawal. */
export function notOpenChecks(table: Table, orgId: string, { termIds }: Withdrawal): readonly TransactItem[] {
  return termIds.map((termId) => ({
    ConditionCheck: {
      TableName: table.name,
      Key: openWithdrawalKey(orgId, termId),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }));
}

/** A withdrawal that is decided is not open any more. One that was never confirmed is not open, and another one may be. */
export function openDeletes(table: Table, orgId: string, before: Withdrawal): readonly TransactItem[] {
  if (before.status !== 'received') return [];
  return before.termIds.map((termId) => ({
    Delete: { TableName: table.name, Key: openWithdrawalKey(orgId, termId) },
  }));
}

/** What a page asked last, and when its address was written to last. */
export interface SeenAsked {
  readonly keys: { readonly asked: ItemKey; readonly announced: ItemKey };
  readonly asked: { readonly withdrawalId: string; readonly requestedUnix: number } | undefined;
  readonly announcedUnix: number | undefined;
}

const Asked = v.object({ withdrawalId: v.string(), requestedUnix: v.number() });
const Announced = v.object({ announcedUnix: v.number() });

/** Reads what was asked with this order and these members, as they were typed, and this address. None need exist. */
export async function readAsked(table: Table, orgId: string, typed: TypedWithdrawal): Promise<SeenAsked> {
  const hash = await personHash(table);
  const keys = {
    asked: askedWithdrawalKey(orgId, typed, hash),
    announced: announcedWithdrawalKey(orgId, typed.emailAddress, hash),
  };
  const [asked, announced] = await Promise.all([
    getItem(table, keys.asked, { consistent: true }),
    getItem(table, keys.announced, { consistent: true }),
  ]);
  return {
    keys,
    asked: asked && v.parse(Asked, asked),
    announcedUnix: announced && v.parse(Announced, announced).announcedUnix,
  };
}

/** What is written for every request of a page. It names neither the order nor the address, and is deleted when it has lasted its day. */
export function askedPut(
  table: Table,
  { keys, asked }: SeenAsked,
  { withdrawalId, requestedUnix }: { readonly withdrawalId: string; readonly requestedUnix: number },
): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...keys.asked, withdrawalId, requestedUnix, ttl: requestedUnix + requestSeconds },
      ...(asked === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: 'withdrawalId = :known',
            ExpressionAttributeValues: { ':known': asked.withdrawalId },
          }),
    },
  };
}

/** Remembers that the organisation was asked to write to the address. Two requests at once are announced once. */
export function announcedPut(table: Table, { keys, announcedUnix }: SeenAsked, nowUnix: number): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...keys.announced, announcedUnix: nowUnix, ttl: nowUnix + requestSeconds },
      ...(announcedUnix === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'announcedUnix = :known', ExpressionAttributeValues: { ':known': announcedUnix } }),
    },
  };
}

/** Removes a request that nobody has confirmed: a later one has taken its place. */
export function replacedDelete(table: Table, orgId: string, before: Withdrawal): TransactItem {
  const { pk, sk } = withdrawalItem(orgId, before);
  return { Delete: { TableName: table.name, Key: { pk, sk }, ...unchangedSince(before) } };
}
