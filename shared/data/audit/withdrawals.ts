import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { refundsOf } from '../../domain/baskets/refunds.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import { isDecided } from '../../domain/withdrawals/withdrawal.ts';
import { readBasket } from '../baskets/baskets.ts';
import type { Table } from '../table/table.ts';
import { openWithdrawalKey, withdrawalKey } from '../table/withdrawal-keys.ts';
import { openWithdrawals, readWithdrawal, withdrawalsOfOrder } from '../withdrawals/read.ts';

/**
 * Compares the withdrawals from orders with what they have changed: one that waits is the open one of each of its terms, no term has an open
 * one that does not wait, and an accepted one has its refund in the order, of these members.
 */
export async function auditWithdrawals(
  table: Table,
  orgId: string,
  orders: readonly OrderWithTickets[],
): Promise<Finding[]> {
  // Most orders have no right of withdrawal.
  const withdrawable = orders.filter(({ memberships }) =>
    memberships.some(({ withdrawalEndsUnix }) => withdrawalEndsUnix !== undefined),
  );
  const findings: Finding[] = [];
  for (const placed of withdrawable) findings.push(...(await auditOrder(table, orgId, placed)));
  return findings;
}

async function auditOrder(
  table: Table,
  orgId: string,
  { order, memberships }: OrderWithTickets,
): Promise<readonly Finding[]> {
  const termIds = memberships.map(({ termId }) => termId);
  const [listed, open, basket] = await Promise.all([
    withdrawalsOfOrder(table, orgId, order.orderId),
    openWithdrawals(table, orgId, termIds),
    readBasket(table, orgId, order.orderId),
  ]);
  const found = await Promise.all(listed.map(({ withdrawalId }) => readWithdrawal(table, orgId, withdrawalId)));
  const withdrawals = found.filter((one) => one !== undefined);
  const refunds = refundsOf(order, basket);
  const isOpen = (withdrawalId: string, termId: number): boolean =>
    open.some((one) => one.termId === termId && one.withdrawalId === withdrawalId);
  const problems = withdrawals.flatMap((one): Finding[] => {
    const row = nameRow(withdrawalKey(orgId, one.withdrawalId));
    const finding = (problem: string): Finding => ({ check: 'withdrawals', row, problem });
    const waits = one.status === 'received';
    if (waits && !one.termIds.every((termId) => isOpen(one.withdrawalId, termId))) {
      return [finding('It waits, and is not the open one of its terms.')];
    }
    const refund = refunds.find(({ number }) => number === one.refundNumber);
    const isRefunded = refund !== undefined && one.memberIds.every((memberId) => refund.memberIds.includes(memberId));
    return one.status === 'accepted' && !isRefunded ? [finding('It was accepted, and its refund is missing.')] : [];
  });
  const left = open.filter(({ withdrawalId }) =>
    withdrawals.every((one) => one.withdrawalId !== withdrawalId || isDecided(one)),
  );
  return [
    ...problems,
    ...left.map(
      ({ termId }): Finding => ({
        check: 'withdrawals',
        row: nameRow(openWithdrawalKey(orgId, termId)),
        problem: 'The term has an open withdrawal that does not wait.',
      }),
    ),
  ];
}
