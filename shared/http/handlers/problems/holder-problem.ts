import type { HoldersProblem } from '../../../domain/baskets/holders.ts';
import { type Problem, problem } from '../../problem.ts';

/** The problem of holders that do not fit their line of a basket. */
export function holderProblem(refusal: HoldersProblem): Problem {
  switch (refusal.reason) {
    case 'too_many_holders':
      return problem(
        'parameter_invalid',
        `A line with ${refusal.holders} holders needs as many tickets; this one would have ${refusal.tickets}. Send holders with at most one for each ticket.`,
        { param: 'holders' },
      );
    case 'no_holder_names':
      return problem('parameter_invalid', 'Tickets of this price have no names. Send no names in holders.', {
        param: 'holders',
      });
    case 'holder_is_no_member':
      return problem(
        'parameter_invalid',
        'Only people who become members have an email address and a date of birth. Leave them out for tickets.',
        { param: `holders[${refusal.index}]` },
      );
    case 'other_persons':
      return problem(
        'parameter_invalid',
        `This membership is for ${refusal.persons} people, and you sent ${refusal.holders} holders. Send one holder for each person.`,
        { param: 'holders' },
      );
    case 'person_unnamed':
      return problem('parameter_invalid', 'Every person of a membership needs first_name and last_name.', {
        param: `holders[${refusal.index}]`,
      });
    case 'person_is_member':
      return problem(
        'parameter_invalid',
        'A membership makes a new member. Leave out membership_member_id. To renew a member, send renews.',
        { param: `holders[${refusal.index}].membership_member_id` },
      );
    case 'renewal_has_members':
      return problem('parameter_invalid', 'The members that a line renews are known. Leave out holders.', {
        param: 'holders',
      });
  }
}
