import { transact } from '../../../shared/data/table/transact.ts';
import { announcedPut, askedPut, openPuts, readAsked, withdrawalPut } from '../../../shared/data/withdrawals/write.ts';
import type { Withdrawal } from '../../../shared/domain/withdrawals/withdrawal.ts';
import { noonUnix, type TestCheckoutDeps } from '../baskets.ts';
import { buyMembership, givenType } from '../memberships.ts';

/** A withdrawal that waits, and one that was decided with everything that a row can say. */
export async function writeWithdrawals({ table, orgId }: TestCheckoutDeps, orderId: number): Promise<void> {
  const waiting: Withdrawal = {
    withdrawalId: 'wdr_waiting',
    orderId,
    memberIds: [1],
    termIds: [2],
    status: 'received',
    receivedUnix: noonUnix,
    periodEndsUnix: noonUnix + 1,
    used: true,
    currency: 'AUD',
    amountMinor: null,
    refundNumber: null,
    reason: null,
    requestedUnix: null,
    decidedUnix: null,
    version: 1,
  };
  const decided: Withdrawal = {
    ...waiting,
    withdrawalId: 'wdr_decided',
    status: 'refused',
    amountMinor: 100,
    refundNumber: 1,
    reason: 'Used',
    requestedUnix: noonUnix,
    decidedUnix: noonUnix,
  };
  const seen = await readAsked(table, orgId, {
    order: String(orderId),
    emailAddress: 'ada@example.com',
    memberIds: null,
  });
  await transact(table, [
    withdrawalPut(table, orgId, undefined, waiting),
    ...openPuts(table, orgId, waiting),
    withdrawalPut(table, orgId, undefined, decided),
    askedPut(table, seen, { withdrawalId: 'wdr_decided', requestedUnix: noonUnix }),
    announcedPut(table, seen, noonUnix),
  ]);
}

/** A withdrawal that waits, and that none of its terms knows as its open one. */
export async function writeLostWithdrawal(deps: TestCheckoutDeps): Promise<void> {
  const { table, orgId } = deps;
  const type = await givenType(table, orgId, { withdrawalDays: 14 }, 'withdrawable');
  const { order, memberships } = await buyMembership(deps, type);
  const of = { withdrawalId: 'wdr_broken', orderId: order.orderId, currency: 'AUD', version: 1 };
  const ids = {
    memberIds: memberships.map(({ memberId }) => memberId),
    termIds: memberships.map(({ termId }) => termId),
  };
  const times = { receivedUnix: noonUnix, periodEndsUnix: noonUnix, requestedUnix: null, decidedUnix: null };
  const open = { status: 'received' as const, used: true, amountMinor: null, refundNumber: null, reason: null };
  await transact(table, [withdrawalPut(table, orgId, undefined, { ...of, ...ids, ...times, ...open })]);
}
