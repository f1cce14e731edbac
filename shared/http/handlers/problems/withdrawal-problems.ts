import type { Withdrawal } from '../../../domain/withdrawals/withdrawal.ts';
import type { Decided } from '../../../sales/withdrawals/decide-withdrawal.ts';
import type { NotReceived } from '../../../sales/withdrawals/receive-withdrawal.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';
import { unwrapRequestedRefund } from './order-change-problem.ts';

/** The problem that reports why a withdrawal was not received. Nothing was changed. */
export function notReceivedProblem({ outcome }: NotReceived): Problem {
  switch (outcome) {
    case 'missing':
      return notFound('order');
    case 'unknown':
      return referenceMissing('membership in this order', 'membership_member_ids');
    case 'not_offered':
      return problem(
        'withdrawal_not_offered',
        'No membership in this order has a right of withdrawal, or it has ended. Nothing was changed. Cancel a membership with cancel-member, and a ticket with cancel-own-ticket or refund-order.',
      );
    case 'open':
      return problem(
        'withdrawal_open',
        'A withdrawal from one of these memberships waits for a decision already. Nothing was changed. List the withdrawals of the order.',
      );
  }
}

/** The withdrawal that was decided. Throws the problem if it was not. */
export function unwrapDecided(decided: Decided): Withdrawal {
  switch (decided.outcome) {
    case 'refused':
      return decided.withdrawal;
    case 'refund_requested':
      unwrapRequestedRefund(decided.requested);
      return decided.withdrawal;
    case 'withdrawal_unknown':
      throw notFound('withdrawal');
    case 'decided_before':
      throw problem(
        'withdrawal_decided',
        'This withdrawal was accepted or refused before. Nothing was changed. Retrieve the withdrawal.',
      );
  }
}
