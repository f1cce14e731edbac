import type { WaitingRefusal } from '../../../domain/waiting-list/join-refusal.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';
import { basketProblem } from './basket-problem.ts';

/** The problem that reports why a person does not wait, or cannot leave. Nothing was changed. */
export function waitingProblem(refusal: WaitingRefusal, nowUnix: number): Problem {
  switch (refusal.reason) {
    case 'event_unknown':
      return notFound('event');
    case 'entry_unknown':
      return notFound('waiting list entry');
    case 'basket_unknown':
      return notFound('basket');
    case 'price_of_event_unknown':
      return referenceMissing('price of the event', 'price_id');
    case 'seats_are_numbered':
      return problem('waiting_list_not_offered', 'There is no waiting list for events with numbered seats.', {
        param: 'price_id',
      });
    case 'list_closed':
      return problem(
        'waiting_list_closed',
        'The sale of this price ends in less than 24 hours, so its waiting list is closed.',
        { param: 'price_id' },
      );
    case 'not_sold_out':
      return problem('not_sold_out', 'This price is not sold out. Add it to a basket instead.', { param: 'price_id' });
    case 'more_than_exist':
      return problem(
        'parameter_invalid',
        `The parameter quantity must be at most ${refusal.most}: the price has no more tickets.`,
        { param: 'quantity' },
      );
    case 'waits_already':
      return problem(
        'already_waiting',
        `This person waits for ${refusal.quantity} tickets of this price already. Leave the list to join it again with another quantity or accept_less.`,
        { param: 'email' },
      );
    case 'waits_for_too_many':
      return problem(
        'max_per_person_exceeded',
        `One person can buy at most ${refusal.maxPerPerson} tickets in this phase of the sale, in all orders together. Wait for fewer.`,
        { param: 'quantity' },
      );
    default:
      return basketProblem(refusal, nowUnix);
  }
}
