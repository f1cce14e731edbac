import type { NextTerm } from '../../../domain/members/next-term.ts';
import { type Problem, problem } from '../../problem.ts';

/** The problem of a term that is being refunded, and can meanwhile not be renewed, replaced or cancelled. */
export function refundInProgress(outcome: string, param?: NextTerm['change']): Problem {
  const message = `A refund of this membership is in progress. ${outcome} Try again when it has ended: list the refunds of the order.`;
  return problem('refund_in_progress', message, { retryAfterSeconds: 60, ...(param !== undefined && { param }) });
}

/** What becomes of the money of a refused checkout. */
export function moneyOfRefusal({
  isPaid,
  isTaken = false,
}: {
  readonly isPaid: boolean;
  readonly isTaken?: boolean;
}): string {
  if (isTaken) return 'Nothing was sold: hand back what you have taken.';
  return isPaid ? 'The payment is refunded.' : 'Nothing was charged.';
}
