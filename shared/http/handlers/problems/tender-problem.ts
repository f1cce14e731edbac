import { moneyText } from '../../../domain/money.ts';
import type { TenderRefusal } from '../../../domain/orders/tender.ts';
import { type Problem, problem } from '../../problem.ts';

/** The problem of a tender that a basket does not take. Nothing was sold. */
export function tenderProblem(refusal: TenderRefusal): Problem {
  switch (refusal.reason) {
    case 'tender_online':
      return problem(
        'not_at_counter',
        'Only a basket of the counter takes a tender. Open one with channel counter, or check out with a payment.',
        { param: 'tender' },
      );
    case 'tender_with_payment':
      return problem(
        'parameter_conflict',
        'A payment is prepared for this basket, so it takes no tender. Change the basket, which cancels the payment, or check out without tender once the buyer has paid.',
        { param: 'tender' },
      );
    case 'customer_required':
      return problem(
        'customer_required',
        'This basket needs a customer: it has a membership, a price for members, or a price with a limit for each person or member. Nothing was sold.',
        { param: 'customer' },
      );
    case 'received_too_little':
      return problem(
        'parameter_invalid',
        `The parameter tender.received must be an amount in ${refusal.currency} of at least what the basket costs, ${moneyText(refusal.totalMinor, refusal.currency)}.`,
        { param: 'tender.received' },
      );
  }
}

export function notAtCounter(): Problem {
  return problem('not_at_counter', 'This price is not sold at the counter: its show_boxoffice is false.', {
    param: 'price_id',
  });
}
