import type { NameRefusal } from '../../../domain/orders/holder-name.ts';
import { notFound, type Problem, problem } from '../../problem.ts';
import { hoursBeforeStart } from './hours-before-start.ts';

/** The problem of a ticket whose name stays. */
export function nameProblem(refusal: NameRefusal): Problem {
  switch (refusal.reason) {
    case 'not_held':
      return notFound('ticket');
    case 'no_names':
      return problem('parameter_invalid', 'Tickets of this price have no names.', { param: 'holder' });
    case 'not_active':
      return problem('ticket_not_active', 'This ticket is cancelled or refunded. Its name stays.');
    case 'scanned':
      return problem('ticket_scanned', 'This ticket was scanned at a gate, so its name stays.');
    case 'too_late': {
      const until = hoursBeforeStart(refusal.hours);
      return problem('names_closed', `The name on this ticket could change until ${until}. Ask the organisation.`);
    }
  }
}
