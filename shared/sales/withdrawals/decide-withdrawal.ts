import { retryRaces } from '../../data/table/retry.ts';
import { type TransactItem, transact } from '../../data/table/transact.ts';
import { readWithdrawal } from '../../data/withdrawals/read.ts';
import { openDeletes, withdrawalPut } from '../../data/withdrawals/write.ts';
import { isDecided, type Withdrawal } from '../../domain/withdrawals/withdrawal.ts';
import { withdrawalAnnounced } from '../../mappers/withdrawal.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { OrderDeps } from '../refunds/cancel-or-refund-tickets.ts';
import { type Accepted, acceptWithdrawal } from './accept-withdrawal.ts';

export type Decision =
  /** `keep` stays with the organisation of each membership, in major units. */
  { readonly decision: 'accept'; readonly keep: number } | { readonly decision: 'refuse'; readonly reason: string };

export type Decided =
  | { readonly outcome: 'refused'; readonly withdrawal: Withdrawal }
  /** Accepted, if its refund was recorded. */
  | ({ readonly outcome: 'refund_requested' } & Accepted)
  | { readonly outcome: 'withdrawal_unknown' | 'decided_before' };

/** Decides a withdrawal that waits, or that nobody has confirmed. The first decision counts. */
export function decideWithdrawal(
  deps: OrderDeps,
  withdrawalId: string,
  decision: Decision,
  sideEffects: (withdrawal: Withdrawal) => readonly TransactItem[],
): Promise<Decided> {
  const { table, orgId, clock, requestId } = deps;
  const withEvent = (withdrawal: Withdrawal): readonly TransactItem[] => {
    const cause = { nowMs: clock.nowMs(), requestId };
    return [
      ...outboxItems(table, orgId, withdrawalAnnounced('decided', withdrawal), cause),
      ...sideEffects(withdrawal),
    ];
  };
  return retryRaces('withdrawal', async (): Promise<Decided | undefined> => {
    const before = await readWithdrawal(table, orgId, withdrawalId);
    if (before === undefined) return { outcome: 'withdrawal_unknown' };
    if (isDecided(before)) return { outcome: 'decided_before' };
    const nowUnix = unixSeconds(clock);
    const wanted = { ...before, version: before.version + 1 };
    const checks = openDeletes(table, orgId, before);
    if (decision.decision === 'refuse') {
      const refused: Withdrawal = { ...wanted, status: 'refused', reason: decision.reason, decidedUnix: nowUnix };
      const items = [withdrawalPut(table, orgId, before, refused), ...checks];
      const refusals = await transact(table, items, withEvent(refused));
      return refusals.length === 0 ? { outcome: 'refused', withdrawal: refused } : undefined;
    }
    const isUnchanged = async () => (await readWithdrawal(table, orgId, withdrawalId))?.version === before.version;
    const acceptance = { before, wanted, keep: decision.keep, nowUnix, checks, isUnchanged };
    const accepted = await acceptWithdrawal(deps, acceptance, withEvent);
    return accepted && { outcome: 'refund_requested', ...accepted };
  });
}
