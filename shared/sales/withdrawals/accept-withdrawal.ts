import type { TransactItem } from '../../data/table/transact.ts';
import { SideEffectsRefused } from '../../data/table/transact.ts';
import { withdrawalPut } from '../../data/withdrawals/write.ts';
import type { Withdrawal } from '../../domain/withdrawals/withdrawal.ts';
import type { OrderDeps } from '../refunds/cancel-or-refund-tickets.ts';
import { type RequestedRefund, requestRefund } from '../refunds/request-refund.ts';

export interface Acceptance {
  /** The row as it was read; undefined if there is none yet. */
  readonly before: Withdrawal | undefined;
  readonly wanted: Withdrawal;
  /** What stays with the organisation of each membership, in major units. */
  readonly keep?: number;
  readonly nowUnix: number;
  /** What else has to be as it was read. */
  readonly checks: readonly TransactItem[];
  /** Whether all of that still is: then another item of the caller was refused. */
  readonly isUnchanged: () => Promise<boolean>;
}

export interface Accepted {
  /** Whether the refund was recorded, and with it the withdrawal; or why not. */
  readonly requested: RequestedRefund;
  readonly withdrawal: Withdrawal;
}

/**
 * Accepts a withdrawal: one transaction requests the refund of its memberships, ends their access as cancel-member does, and writes the
 * withdrawal. From then on the refund is one of the order. Undefined if something has changed since it was read.
 */
export async function acceptWithdrawal(
  deps: OrderDeps,
  { before, wanted, keep = 0, nowUnix, checks, isUnchanged }: Acceptance,
  sideEffects: (withdrawal: Withdrawal) => readonly TransactItem[],
): Promise<Accepted | undefined> {
  const { table, orgId } = deps;
  let withdrawal = wanted;
  try {
    const request = {
      orderId: wanted.orderId,
      tickets: [],
      members: wanted.memberIds,
      reason: `Withdrawal ${wanted.withdrawalId}`,
      keep,
      returnedBy: 'later' as const,
      endsAccess: true,
    };
    const requested = await requestRefund(deps, request, (_order, { amountMinor, number: refundNumber }) => {
      withdrawal = { ...wanted, status: 'accepted', amountMinor, refundNumber, decidedUnix: nowUnix };
      return [withdrawalPut(table, orgId, before, withdrawal), ...checks, ...sideEffects(withdrawal)];
    });
    return { requested, withdrawal };
  } catch (error) {
    if (!(error instanceof SideEffectsRefused) || (await isUnchanged())) throw error;
    return undefined;
  }
}
