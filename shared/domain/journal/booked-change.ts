import { sumOf } from '../money.ts';
import type { ChangedOrder, TicketsChange } from '../orders/change-order.ts';
import { ticketsCostMinor } from '../orders/ticket-discounts.ts';
import { returnedMoney } from '../orders/ticket-money.ts';
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
  { to, undoes, elsewhere }: TicketsChange,
  refund: RefundAmounts | undefined,
): BookedChange {
  const { before, after, changed, ended } = change;
  const units = { order: after.order, tickets: changed, memberships: ended };
  if (undoes !== undefined) {
    const failed = { moved: 'failed_refund', failure: undoes } as const;
    if (undoes.isWhole) {
      const undone = asRefunded(change);
      const { changed: tickets, ended: memberships } = undone;
      const move = { ...failed, order: after.order, tickets, memberships };
      return { settled: settledFailure(undone, undoes.failedMinor), move };
    }
    // The settlement of an event has nothing of memberships.
    const settled = addSettled([[0, { refundsMinor: 0 - beyondMemberships(after, undoes) }]]);
    return { settled, move: { ...failed, ...after } };
  }
  if (to === 'cancelled') return { settled: settledChange(change, undefined), move: undefined };
  const returned = refund ?? {
    amountMinor: after.order.refundedMinor - before.order.refundedMinor,
    keptMinor: (after.order.keptMinor ?? 0) - (before.order.keptMinor ?? 0),
    writtenOffMinor: (after.order.writtenOffMinor ?? 0) - (before.order.writtenOffMinor ?? 0),
    returnedBy: elsewhere?.returnedBy,
  };
  return {
    settled: settledChange(change, returnedMinor(change, returned)),
    move: { moved: 'refund', ...units, refund: returned },
  };
}

/** The change with its units as they were refunded, with what was kept of them. */
function asRefunded(change: ChangedOrder): ChangedOrder {
  const { before, changed, ended } = change;
  return {
    ...change,
    changed: before.tickets.filter(({ ticketId }) => changed.some((ticket) => ticket.ticketId === ticketId)),
    ended: before.memberships.filter(({ memberId }) => ended.some((one) => one.memberId === memberId)),
  };
}

/** If more is kept than of each unit, it is kept of memberships, and the settlement of an event has nothing of them. */
function returnedMinor({ changed, ended }: ChangedOrder, refund: RefundAmounts): number {
  const units = [...changed, ...ended];
  const isOfEach = (refund.keptMinor ?? 0) === sumOf(units.map(({ keptMinor = 0 }) => keptMinor));
  return isOfEach
    ? refund.amountMinor + (refund.writtenOffMinor ?? 0)
    : ticketsCostMinor([...changed.map(returnedMoney), ...ended.map(returnedMoney)]);
}
