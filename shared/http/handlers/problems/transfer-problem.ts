import { maxOffers, maxTransfers, type TransferStatus } from '../../../domain/orders/transfer.ts';
import type { TransferRefusal } from '../../../domain/orders/transfer-rules.ts';
import { notFound, type Problem, problem } from '../../problem.ts';
import { hoursBeforeStart } from './hours-before-start.ts';

/** The problem of a ticket that is not given away. */
export function transferProblem(refusal: TransferRefusal): Problem {
  switch (refusal.reason) {
    case 'not_held':
      return notFound('ticket');
    case 'not_active':
      return problem('ticket_not_active', 'This ticket is not valid, so it cannot be given away.');
    case 'scanned':
      return problem('ticket_scanned', 'This ticket was scanned at a gate, so it cannot be given away any more.');
    case 'not_transferable':
      return problem('transfer_not_allowed', 'Tickets of this price cannot be given away.');
    case 'too_many_transfers':
      return problem('transfer_not_allowed', `This ticket was given away ${maxTransfers} times, which is the limit.`);
    case 'event_cancelled':
      return problem('transfer_closed', 'The event was cancelled.');
    case 'too_late':
      return problem('transfer_closed', `This ticket could be given away until ${hoursBeforeStart(refusal.hours)}.`);
    case 'own_address':
      return problem('parameter_invalid', 'The ticket belongs to the person with this email address already.', {
        param: 'email',
      });
    case 'offer_pending':
      return problem('transfer_pending', 'This ticket is offered to somebody already. Cancel that transfer first.');
    case 'too_many_offers':
      return problem('transfer_not_allowed', `This ticket was offered ${maxOffers} times, which is the limit.`);
    case 'offer_unknown':
      return notFound('transfer');
    case 'offer_ended':
      return problem('transfer_not_open', ends[refusal.status]);
  }
}

const ends: Readonly<Record<Exclude<TransferStatus, 'offered'>, string>> = {
  accepted: 'This transfer was accepted already.',
  cancelled: 'This transfer was cancelled. Ask the holder of the ticket to offer it again.',
  expired: 'This transfer has expired. Ask the holder of the ticket to offer it again.',
};
