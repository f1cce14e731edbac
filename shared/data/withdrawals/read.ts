import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import type { Withdrawal, WithdrawalStatus } from '../../domain/withdrawals/withdrawal.ts';
import { readIndexPage } from '../lists/index-page.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { openWithdrawalKey, withdrawalKey, withdrawalsPartition } from '../table/withdrawal-keys.ts';
import { parseWithdrawal, withdrawalSortKey } from './row.ts';

export async function readWithdrawal(
  table: Table,
  orgId: string,
  withdrawalId: string,
): Promise<Withdrawal | undefined> {
  const item = await getItem(table, withdrawalKey(orgId, withdrawalId), { consistent: true });
  return item === undefined ? undefined : parseWithdrawal(item);
}

const Open = v.object({ sk: v.string(), withdrawalId: v.string() });

/** The open withdrawals of these terms. */
export async function openWithdrawals(table: Table, orgId: string, termIds: readonly number[]) {
  const keys = termIds.map((termId) => openWithdrawalKey(orgId, termId));
  const items = await batchGet(table, keys, { consistent: true });
  return items.map((item) => {
    const { sk, withdrawalId } = v.parse(Open, item);
    return { termId: Number(sk), withdrawalId };
  });
}

interface WithdrawalsListing {
  readonly orgId: string;
  /** By default those of every status and order. */
  readonly of?: { readonly status: WithdrawalStatus } | { readonly orderId: number } | undefined;
  /** The sort key of the last one of the page before; undefined for the first page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Reads withdrawals in the order in which they were received. The index shows a change within milliseconds as a rule. */
export async function listWithdrawals(
  table: Table,
  { orgId, of, after, limit }: WithdrawalsListing,
): Promise<{ readonly withdrawals: readonly Withdrawal[]; readonly next: string | undefined }> {
  const { items, hasMore } = await readIndexPage(table, { ...rangeOf(orgId, of), after, limit });
  const withdrawals = items.map(parseWithdrawal);
  const last = withdrawals.at(-1);
  return { withdrawals, next: hasMore && last !== undefined ? withdrawalSortKey(last) : undefined };
}

/** All withdrawals of an order, for the export and the erasure of its buyer. */
export async function withdrawalsOfOrder(table: Table, orgId: string, orderId: number): Promise<readonly Withdrawal[]> {
  const items = await queryAll(table, {
    IndexName: 'by3',
    KeyConditionExpression: 'by3pk = :pk',
    ExpressionAttributeValues: { ':pk': withdrawalsPartition(orgId, 'order', idText(orderId)) },
  });
  return items.map(parseWithdrawal);
}

function rangeOf(orgId: string, of: WithdrawalsListing['of']) {
  if (of === undefined) return { index: 'by1', partition: withdrawalsPartition(orgId) } as const;
  if ('status' in of) return { index: 'by2', partition: withdrawalsPartition(orgId, of.status) } as const;
  return { index: 'by3', partition: withdrawalsPartition(orgId, 'order', idText(of.orderId)) } as const;
}
