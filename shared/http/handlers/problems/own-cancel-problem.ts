import type { OwnCancelRefusal } from '../../../domain/orders/own-cancellation.ts';
import { notFound, type Problem, problem } from '../../problem.ts';
import { hoursBeforeStart } from './hours-before-start.ts';

/** The problem of a ticket that its buyer cannot cancel. */
export function ownCancelProblem(refusal: OwnCancelRefusal): Problem {
  switch (refusal.reason) {
    case 'not_bought':
      return notFound('ticket');
    case 'given_away':
      return problem(
        'ticket_given_away',
        'This ticket was given away. Only a buyer who still has the ticket can cancel it.',
      );
    case 'offer_pending':
      return problem('transfer_pending', 'This ticket is offered to somebody. Cancel that transfer first.');
    case 'scanned':
      return problem('ticket_scanned', 'This ticket was scanned at a gate, so it cannot be cancelled any more.');
    case 'event_cancelled':
      return problem(
        'event_cancelled',
        'The event was cancelled. The organisation returns the money on its own terms.',
      );
    case 'not_allowed':
      return problem(
        'self_cancel_not_allowed',
        'Buyers cannot cancel this ticket by themselves. Ask the organisation.',
      );
    case 'too_late':
      return problem('self_cancel_closed', `This ticket could be cancelled until ${hoursBeforeStart(refusal.hours)}.`);
    case 'refund_in_progress':
      return problem('refund_in_progress', 'A refund of this ticket is in progress. Nothing was changed.');
    case 'refunded':
      return problem('ticket_already_refunded', 'This ticket is refunded already. Nothing was changed.');
    case 'cancelled':
      return problem('ticket_not_active', 'This ticket is cancelled already. Ask the organisation for the money.');
  }
}
