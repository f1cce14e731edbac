import type { ItemRefusal, NotRenewable } from '../../../domain/baskets/item-refusal.ts';
import type { NextTerm } from '../../../domain/members/next-term.ts';
import { type Problem, problem, referenceMissing } from '../../problem.ts';
import { laterTermExists } from './later-term-exists.ts';
import { refundInProgress } from './refund-in-progress.ts';

/** The problem of a request that names nothing that it can add to a basket. */
export function itemProblem(refusal: ItemRefusal): Problem {
  switch (refusal.reason) {
    case 'price_unknown':
      return referenceMissing('price', refusal.index === undefined ? 'price_id' : `items[${refusal.index}].price_id`);
    case 'type_unknown':
      return referenceMissing('membership type', 'membership_type_id');
    case 'section_unknown':
      return referenceMissing('section of the seat map', 'section');
    case 'member_unknown':
      return referenceMissing('member', refusal.change);
    case 'member_of_another':
      return problem(
        'membership_not_proven',
        'This membership does not belong to the fan. Send the token of the linked fan who holds it in X-SSO-Token, or renew it with an API key.',
        { param: refusal.change },
      );
    case 'term_being_refunded':
      return refundInProgress('Nothing was added.', refusal.change);
    case 'several_zones':
      return conflict('items', 'The best seats together are of one zone. Send prices of one zone, or pick the seats.');
    case 'renewal_names_price':
      return conflict('price_id', 'A renewal sells a membership. Leave out price_id.');
    case 'renews_and_replaces':
      return conflict('replaces', 'Send either renews or replaces.');
    case 'renewal_names_holders':
      return conflict('holders', 'The members that were bought together are renewed together. Leave out holders.');
    case 'renewed_as_other_type':
      return conflict(
        'membership_type_id',
        `This membership is renewed as the membership type ${refusal.typeId}. Send that membership_type_id, or leave it out.`,
      );
    case 'replacing_type_missing':
      return problem(
        'parameter_missing',
        'The parameter membership_type_id is required: the type that replaces the membership.',
        { param: 'membership_type_id' },
      );
    case 'replaced_by_same_type':
      return conflict('membership_type_id', 'The member has this membership type already. To extend it, send renews.');
    case 'instalments_outstanding':
      return problem('plan_open', 'Instalments of this membership are outstanding. Pay them before the type changes.', {
        param: 'replaces',
      });
    case 'replaced_term_has_later':
      return laterTermExists(refusal.memberIds, 'replaces');
    case 'not_renewable':
      return notRenewable(refusal.change, reasons[refusal.because]);
    case 'too_many_members':
      return notRenewable(
        refusal.change,
        `${refusal.members} people have it together, and the membership type is for ${refusal.persons}.`,
      );
  }
}

const reasons: Readonly<Record<NotRenewable, string>> = {
  cancelled: 'It was cancelled. Buy a new membership.',
  no_next_type: 'Its type has no type that follows it, and no term of so many months.',
  ends_no_later: 'It lasts as long as the membership that would follow it.',
  type_has_expired: 'Memberships of that type have expired.',
  payment_withdrawn:
    'A bank has withdrawn its payment in a dispute, so there is nothing to take off the price. Try again if the bank returns it, or cancel the membership and sell a new one.',
  other_currency: 'That type is sold in another currency.',
};

function notRenewable(param: NextTerm['change'], reason: string): Problem {
  const message = `This membership cannot be ${param === 'renews' ? 'renewed' : 'replaced'}. ${reason}`;
  return problem('membership_not_renewable', message, { param });
}

function conflict(param: string, message: string): Problem {
  return problem('parameter_conflict', message, { param });
}
