import type { ChangedOrder, TicketsChange } from '../orders/change-order.ts';
import { ticketsCostMinor } from '../orders/ticket-discounts.ts';
import { beyondMemberships } from './entries/failed-refund.ts';
import type { MoneyMove, RefundAmounts } from './money-moves.ts';
import { addSettled, type Settlement, settledChange, settledFailure } from './settlement.ts';

/** What a change of an order books: the settlement of its event, and what moved money. */
export interface BookedChange {
  readonly settled: Settlement;
  /** Undefined for a cancellation, which moves no money. */
  readonly move: MoneyMove | undefined;
}

/** `refund` is what is returned; by default what the refunded tickets cost. */
export function bookedChange(
  change: ChangedOrder,
  { to, undoes }: TicketsChange,
  refund: RefundAmounts | undefined,
): BookedChange {
  const { before, after, changed, ended } = change;
  const units = { order: after.order, tickets: changed, memberships: ended };
  if (undoes !== undefined) {
    const failed = { moved: 'failed_refund', failure: undoes } as const;
    if (undoes.isWhole) return { settled: settledFailure(change, undoes.failedMinor), move: { ...failed, ...units } };
    // The settlement of an event has nothing of memberships.
    const settled = addSettled([[0, { refundsMinor: 0 - beyondMemberships(after, undoes) }]]);
    return { settled, move: { ...failed, ...after } };
  }
  if (to === 'cancelled') return { settled: settledChange(change, undefined), move: undefined };
  const returned = refund ?? { amountMinor: after.order.refundedMinor - before.order.refundedMinor };
  return {
    settled: settledChange(change, returnedMinor(change, returned)),
    move: { moved: 'refund', ...units, refund: returned },
  };
}

/** Only of memberships something is kept, and the settlement of an event has nothing of them. */
function returnedMinor({ changed, ended }: ChangedOrder, refund: RefundAmounts): number {
  return refund.keptMinor === undefined
    ? refund.amountMinor + (refund.writtenOffMinor ?? 0)
    : ticketsCostMinor([...changed, ...ended]);
}
