import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import { type Withdrawal, withdrawalStatuses } from '../../domain/withdrawals/withdrawal.ts';
import type { ItemKey } from '../table/keys.ts';
import { nullable, row, storedEnum, withoutNulls } from '../table/row.ts';
import { withdrawalKey, withdrawalsPartition } from '../table/withdrawal-keys.ts';

const StoredWithdrawal = row({
  withdrawalId: v.string(),
  orderId: v.number(),
  memberIds: v.array(v.number()),
  termIds: v.array(v.number()),
  // Nothing is returned because of a status that is unknown here.
  status: storedEnum(withdrawalStatuses, 'refused'),
  receivedUnix: v.number(),
  periodEndsUnix: v.number(),
  used: nullable(v.boolean()),
  currency: v.string(),
  amountMinor: nullable(v.number()),
  refundNumber: nullable(v.number()),
  reason: nullable(v.string()),
  requestedUnix: nullable(v.number()),
  decidedUnix: nullable(v.number()),
  version: v.number(),
});

export const parseWithdrawal = (item: unknown): Withdrawal => v.parse(StoredWithdrawal, item);

const secondDigits = 11;

/** Sorts by the second of the first request. */
export function withdrawalSortKey({ receivedUnix, withdrawalId }: Withdrawal): string {
  return `${String(receivedUnix).padStart(secondDigits, '0')}#${withdrawalId}`;
}

/** Index by1 lists all, by2 those of a status, and by3 those of an order. */
export function withdrawalItem(orgId: string, withdrawal: Withdrawal): ItemKey & Record<string, unknown> {
  const sk = withdrawalSortKey(withdrawal);
  return {
    ...withoutNulls(withdrawal),
    ...withdrawalKey(orgId, withdrawal.withdrawalId),
    by1pk: withdrawalsPartition(orgId),
    by1sk: sk,
    by2pk: withdrawalsPartition(orgId, withdrawal.status),
    by2sk: sk,
    by3pk: withdrawalsPartition(orgId, 'order', idText(withdrawal.orderId)),
    by3sk: sk,
  };
}
