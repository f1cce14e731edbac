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
    case 'invoice_for_memberships':
      return problem(
        'parameter_invalid',
        'The parameter tender.kind cannot be invoice: this basket has a membership, which is paid at once or in instalments.',
        { param: 'tender.kind' },
      );
    case 'received_too_little':
      return problem(
        'parameter_invalid',
        `The parameter tender.received must be an amount in ${refusal.currency} of at least what the basket costs, ${moneyText(refusal.totalMinor, refusal.currency)}.`,
        { param: 'tender.received' },
      );
  }
}

/** The problem of a payment that is not recorded. */
export function paymentProblem(
  refusal:
    | { readonly outcome: 'no_amount'; readonly currency: string }
    | { readonly outcome: 'more_than_owed'; readonly outstandingMinor: number; readonly currency: string },
): Problem {
  if (refusal.outcome === 'no_amount') {
    const message = `The parameter amount must be an amount in ${refusal.currency} of more than 0.`;
    return problem('parameter_invalid', message, { param: 'amount' });
  }
  const owed = moneyText(refusal.outstandingMinor, refusal.currency);
  return problem('more_than_owed', `${owed} is owed of this order, which is less. Nothing was recorded.`, {
    param: 'amount',
  });
}

export function notAtCounter(): Problem {
  return problem('not_at_counter', 'This price is not sold at the counter: its show_boxoffice is false.', {
    param: 'price_id',
  });
}
