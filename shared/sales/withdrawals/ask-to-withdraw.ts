import { isDeepStrictEqual } from 'node:util';
import { findOrderRef, readOrderAt } from '../../data/orders/read.ts';
import { retryRaces } from '../../data/table/retry.ts';
import { type TransactItem, transact } from '../../data/table/transact.ts';
import type { TypedWithdrawal } from '../../data/table/withdrawal-keys.ts';
import { withdrawalsOfOrder } from '../../data/withdrawals/read.ts';
import {
  announcedPut,
  askedPut,
  readAsked,
  replacedDelete,
  type SeenAsked,
  withdrawalPut,
} from '../../data/withdrawals/write.ts';
import { personAddress } from '../../domain/customers/person-address.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import { periodEndOf, requestSeconds, type Withdrawal, withdrawableOf } from '../../domain/withdrawals/withdrawal.ts';
import { withdrawalAnnounced } from '../../mappers/withdrawal.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { OrderDeps } from '../refunds/cancel-or-refund-tickets.ts';
import { newWithdrawalId } from './withdrawal-id.ts';

export interface AskedToWithdraw {
  readonly withdrawalId: string;
  readonly requestedUnix: number;
}

/**
 * Takes a request of somebody who has proved nothing. Order and address need not exist or belong together: what is read, written and
 * returned is the same. If they do, the withdrawal is stored with its time, and its owner is asked to confirm it; an address is written to
 * once a day. It takes the place of those that nobody has confirmed for a day, so an order keeps few of them however often it is named.
 */
export function askToWithdraw(
  deps: OrderDeps,
  typed: TypedWithdrawal,
  sideEffects: (asked: AskedToWithdraw) => readonly TransactItem[],
): Promise<AskedToWithdraw> {
  const { table, orgId, clock, requestId } = deps;
  return retryRaces('withdrawal', async (): Promise<AskedToWithdraw | undefined> => {
    const nowUnix = unixSeconds(clock);
    const isRecent = (unix: number | undefined): boolean => unix !== undefined && nowUnix < unix + requestSeconds;
    const [seen, placed] = await Promise.all([readAsked(table, orgId, typed), readTyped(deps, typed.order)]);
    if (seen.asked !== undefined && isRecent(seen.asked.requestedUnix)) return seen.asked;
    const asked = { withdrawalId: newWithdrawalId(), requestedUnix: nowUnix };
    // No order has the id 0.
    const known = await withdrawalsOfOrder(table, orgId, placed?.order.orderId ?? 0);
    const wanted = requestOf(placed, typed, asked);
    const replaced = known.filter((one) => isUnconfirmedOf(one, wanted) && !isRecent(one.requestedUnix ?? undefined));
    const withdrawal = wanted && { ...wanted, receivedUnix: firstOf([wanted, ...replaced]) };
    const isAnnounced = !isRecent(seen.announcedUnix);
    const stored = withdrawal === undefined ? [] : storedItems(deps, { seen, withdrawal, replaced, isAnnounced });
    const event =
      withdrawal !== undefined && isAnnounced
        ? outboxItems(table, orgId, withdrawalAnnounced('requested', withdrawal), { nowMs: clock.nowMs(), requestId })
        : [];
    const refused = await transact(table, [askedPut(table, seen, asked), ...stored], [...event, ...sideEffects(asked)]);
    return refused.length === 0 ? asked : undefined;
  });
}

interface Stored {
  readonly seen: SeenAsked;
  readonly withdrawal: Withdrawal;
  readonly replaced: readonly Withdrawal[];
  readonly isAnnounced: boolean;
}

/** Whether it is about the same memberships, whoever of them was named, and nobody has confirmed it. */
const isUnconfirmedOf = ({ status, termIds }: Withdrawal, wanted: Withdrawal | undefined): boolean =>
  status === 'unconfirmed' && wanted !== undefined && isDeepStrictEqual(termIds, wanted.termIds);

const firstOf = (requests: readonly Withdrawal[]): number => Math.min(...requests.map((one) => one.receivedUnix));

/** What is written besides for an order of the address: the request, in place of those that nobody has confirmed. */
function storedItems(
  { table, orgId }: OrderDeps,
  { seen, withdrawal, replaced, isAnnounced }: Stored,
): readonly TransactItem[] {
  return [
    withdrawalPut(table, orgId, undefined, withdrawal),
    ...replaced.map((one) => replacedDelete(table, orgId, one)),
    ...(isAnnounced ? [announcedPut(table, seen, withdrawal.requestedUnix ?? withdrawal.receivedUnix)] : []),
  ];
}

async function readTyped({ table, orgId }: OrderDeps, order: string): Promise<OrderWithTickets | undefined> {
  const ref = await findOrderRef(table, orgId, order);
  return ref && readOrderAt(table, orgId, ref);
}

/** The withdrawal that was asked for; undefined if the order is not of this address, or cannot be withdrawn from. */
function requestOf(
  placed: OrderWithTickets | undefined,
  { emailAddress, memberIds }: TypedWithdrawal,
  { withdrawalId, requestedUnix }: AskedToWithdraw,
): Withdrawal | undefined {
  const owner = placed?.order.emailAddress ?? null;
  if (placed === undefined || owner === null || personAddress(owner) !== personAddress(emailAddress)) return undefined;
  const chosen = withdrawableOf(placed.memberships, memberIds);
  if (chosen === 'unknown' || chosen === 'not_offered') return undefined;
  return {
    withdrawalId,
    orderId: placed.order.orderId,
    memberIds: chosen.map(({ memberId }) => memberId),
    termIds: chosen.map(({ termId }) => termId),
    status: 'unconfirmed',
    receivedUnix: requestedUnix,
    periodEndsUnix: periodEndOf(chosen),
    used: null,
    currency: placed.order.currency,
    amountMinor: null,
    refundNumber: null,
    reason: null,
    requestedUnix,
    decidedUnix: null,
    version: 1,
  };
}
