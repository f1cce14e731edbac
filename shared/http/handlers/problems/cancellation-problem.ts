import type { CancelRefund, CancelTime } from '../../../domain/members/cancellation.ts';
import type { NotCancelled } from '../../../sales/ended-memberships/end-membership.ts';
import { notFound, type Problem, problem } from '../../problem.ts';
import { laterTermExists } from './later-term-exists.ts';

interface WantedCancellation {
  readonly when: CancelTime;
  readonly refund: CancelRefund;
}

/** Only the organisation decides about money and ends a membership before its time. */
export function checkCancellation({ when, refund }: WantedCancellation, isFan: boolean): void {
  if (isFan && when !== 'end') {
    const message =
      'A fan can cancel a membership only for its end. To cancel it now, use an API key without X-SSO-Token.';
    throw problem('parameter_conflict', message, { param: 'when' });
  }
  if (when === 'end' && refund !== 'none') {
    const message =
      'A membership that is cancelled for its end is used until then. Leave out refund, or send now in when.';
    throw problem('parameter_conflict', message, { param: 'refund' });
  }
}

/** The problem that reports a membership that was not cancelled. */
export function cancellationProblem(result: NotCancelled): Problem {
  switch (result.outcome) {
    case 'missing':
      return notFound('member');
    case 'already_cancelled':
      return problem('member_cancelled', 'This member is cancelled already. Nothing was changed.');
    case 'not_bought_here':
      return problem(
        'not_bought_here',
        'This membership was not bought through Gateline. Return the money yourself, and cancel it without refund.',
        { param: 'refund' },
      );
    case 'later_term':
      return laterTermExists(result.memberIds, 'when');
    case 'refund_pending':
      return problem(
        'ticket_already_refunded',
        'A refund of this membership is pending, and ends it within a minute. Nothing was changed. List the refunds of the order.',
      );
    case 'charge_in_progress':
      return problem(
        'payment_in_progress',
        'An instalment or the renewal of this membership is being charged. Nothing was changed. Try again in a minute.',
        { retryAfterSeconds: 60 },
      );
  }
}
