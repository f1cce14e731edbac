import { memberCheck } from '../../data/members/owner-check.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { readUse, type SeenUse, useEnded } from '../../data/scans/use.ts';
import { retryRaces } from '../../data/table/retry.ts';
import { type TransactItem, transact } from '../../data/table/transact.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import { openWithdrawals, readWithdrawal } from '../../data/withdrawals/read.ts';
import { notOpenChecks, openPuts, withdrawalPut } from '../../data/withdrawals/write.ts';
import {
  isUsedSince,
  periodEndOf,
  type Withdrawable,
  type Withdrawal,
  withdrawableOf,
} from '../../domain/withdrawals/withdrawal.ts';
import { withdrawalAnnounced } from '../../mappers/withdrawal.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { OrderDeps } from '../refunds/cancel-or-refund-tickets.ts';
import { acceptWithdrawal } from './accept-withdrawal.ts';
import { newWithdrawalId } from './withdrawal-id.ts';

export interface WantedWithdrawal {
  readonly orderId: number;
  /** Null: all that can be withdrawn. */
  readonly memberIds: readonly number[] | null;
  /** The request that is confirmed; absent if it needs no confirmation. */
  readonly requested?: Withdrawal;
}

export type NotReceived = {
  /** `unknown`: the order has no such member. `open`: another withdrawal of one of them waits. */
  readonly outcome: 'missing' | 'unknown' | 'not_offered' | 'open';
};

export type Received = { readonly outcome: 'received'; readonly withdrawal: Withdrawal } | NotReceived;

type SideEffects = (withdrawal: Withdrawal) => readonly TransactItem[];

/**
 * Receives a withdrawal of the buyer. In time and unused, it is accepted at once, in the transaction that requests the refund; whatever
 * prevents that lets it wait for the staff, and is no reason to lose it. A request that was confirmed before stays as it is.
 */
export function receiveWithdrawal(
  deps: OrderDeps,
  wanted: WantedWithdrawal,
  sideEffects: SideEffects,
): Promise<Received> {
  return retryRaces('withdrawal', async (): Promise<Received | undefined> => {
    const before = wanted.requested && (await readWithdrawal(deps.table, deps.orgId, wanted.requested.withdrawalId));
    if (before?.status !== wanted.requested?.status) {
      return before === undefined ? { outcome: 'missing' } : { outcome: 'received', withdrawal: before };
    }
    const seen = await readReceiving(deps, wanted, before);
    if ('outcome' in seen) return seen;
    const { used, receivedUnix, periodEndsUnix } = seen.withdrawal;
    const isAutomatic = used === false && receivedUnix < periodEndsUnix;
    const accepted = isAutomatic ? await acceptSeen(deps, seen, sideEffects) : 'waits';
    return accepted === 'waits' ? letWait(deps, seen, sideEffects) : accepted;
  });
}

/** A withdrawal that is to be received, and all that it was judged by. */
interface Receiving {
  readonly before: Withdrawal | undefined;
  readonly withdrawal: Withdrawal;
  readonly members: readonly SeenMember[];
}

async function readReceiving(
  deps: OrderDeps,
  { orderId, memberIds }: WantedWithdrawal,
  before: Withdrawal | undefined,
): Promise<Receiving | NotReceived> {
  const { table, orgId, clock } = deps;
  const placed = await readOrderWithTickets(table, orgId, orderId);
  if (placed === undefined) return { outcome: 'missing' };
  const chosen = withdrawableOf(placed.memberships, memberIds);
  if (chosen === 'unknown' || chosen === 'not_offered') return { outcome: chosen };
  const termIds = chosen.map(({ termId }) => termId);
  if ((await openWithdrawals(table, orgId, termIds)).length > 0) return { outcome: 'open' };
  const found = await Promise.all(chosen.map((one) => seeMember(deps, one)));
  const members = found.flatMap((one) => one ?? []);
  const isRefunded = members.some(({ member }) => member.pendingRefund?.orderId === orderId);
  if (isRefunded || members.length < chosen.length) return { outcome: 'not_offered' };
  const withdrawal: Withdrawal = {
    ...before,
    withdrawalId: before?.withdrawalId ?? newWithdrawalId(),
    orderId,
    memberIds: chosen.map(({ memberId }) => memberId),
    termIds,
    status: 'received',
    receivedUnix: before?.receivedUnix ?? unixSeconds(clock),
    periodEndsUnix: periodEndOf(chosen),
    used: members.some(({ isUsed }) => isUsed),
    currency: placed.order.currency,
    amountMinor: null,
    refundNumber: null,
    reason: null,
    requestedUnix: before?.requestedUnix ?? null,
    decidedUnix: null,
    version: (before?.version ?? 0) + 1,
  };
  return { before, withdrawal, members };
}

/** `waits`: the refund cannot be requested now, as while an instalment is being charged. Undefined if something has changed. */
async function acceptSeen(
  deps: OrderDeps,
  { before, withdrawal, members }: Receiving,
  sideEffects: SideEffects,
): Promise<Received | 'waits' | undefined> {
  const { table, orgId, clock } = deps;
  const uses = members.map(({ use }) => use);
  const acceptance = {
    before,
    wanted: withdrawal,
    nowUnix: unixSeconds(clock),
    checks: [...notOpenChecks(table, orgId, withdrawal), ...uses.map((use) => useEnded(table, orgId, use))],
    isUnchanged: () => isUnchanged(deps, { before, withdrawal, members }),
  };
  const accepted = await acceptWithdrawal(deps, acceptance, (one) => [
    ...announced(deps, one, 'received'),
    ...announced(deps, one, 'decided'),
    ...sideEffects(one),
  ]);
  if (accepted === undefined) return undefined;
  const { requested } = accepted;
  if (requested.outcome === 'recorded') return { outcome: 'received', withdrawal: accepted.withdrawal };
  return requested.outcome === 'already_refunded' ? { outcome: 'not_offered' } : 'waits';
}

/** Stores it for the staff, if none of its members has changed: nothing of them was refunded meanwhile. */
async function letWait(
  deps: OrderDeps,
  { before, withdrawal, members }: Receiving,
  sideEffects: SideEffects,
): Promise<Received | undefined> {
  const { table, orgId } = deps;
  const refused = await transact(
    table,
    [
      withdrawalPut(table, orgId, before, withdrawal),
      ...openPuts(table, orgId, withdrawal),
      ...members.map(({ member }) => memberCheck(table, orgId, member)),
    ],
    [...announced(deps, withdrawal, 'received'), ...sideEffects(withdrawal)],
  );
  return refused.length === 0 ? { outcome: 'received', withdrawal } : undefined;
}

function announced(
  { table, orgId, clock, requestId }: OrderDeps,
  withdrawal: Withdrawal,
  step: 'received' | 'decided',
): readonly TransactItem[] {
  // The feed sorts by the millisecond: received, then decided.
  const nowMs = clock.nowMs() + (step === 'decided' ? 1 : 0);
  return outboxItems(table, orgId, withdrawalAnnounced(step, withdrawal), { nowMs, requestId });
}

interface SeenMember {
  readonly member: MemberRecord;
  readonly use: SeenUse;
  readonly isUsed: boolean;
}

/** A member as it is now, and whether the term that was sold has been used. */
async function seeMember(
  { table, orgId }: OrderDeps,
  { memberId, termId }: Withdrawable,
): Promise<SeenMember | undefined> {
  // The use first: gates read the member before they change it.
  const use = await readUse(table, orgId, memberId);
  const [member, terms] = await Promise.all([
    readMember(table, orgId, memberId),
    termsOfMember(table, orgId, memberId),
  ]);
  const term = terms.find((one) => one.termId === termId);
  return member && term && { member, use, isUsed: term.provesPrices === true || isUsedSince(use, term.fromUnix) };
}

async function isUnchanged({ table, orgId }: OrderDeps, { before, withdrawal, members }: Receiving): Promise<boolean> {
  const [now, open, ...current] = await Promise.all([
    before && readWithdrawal(table, orgId, before.withdrawalId),
    openWithdrawals(table, orgId, withdrawal.termIds),
    ...members.map(({ use }) => readUse(table, orgId, use.memberId)),
  ]);
  const areSame = current.every((use, index) => use.version === members[index]?.use.version);
  return areSame && open.length === 0 && now?.version === before?.version;
}
