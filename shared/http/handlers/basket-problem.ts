import { mostBasketPrices, mostBasketTickets } from '../../domain/baskets/basket.ts';
import type { BasketRefusal, OffSale } from '../../domain/baskets/changes.ts';
import { type Problem, problem } from '../problem.ts';

const offSale: Readonly<Record<OffSale, string>> = {
  event_not_published: 'Its event is not published.',
  reserved_seating: 'Its event has reserved seating, which is sold elsewhere.',
  inactive: 'It is inactive.',
  not_sold_online: 'It is not sold online.',
  not_yet: 'Its sale has not begun.',
  no_longer: 'Its sale has ended.',
};

/** What a client is told when a basket cannot be changed as it asked. Nothing was. */
export function basketProblem(refusal: BasketRefusal, nowUnix: number): Problem {
  switch (refusal.reason) {
    case 'expired':
      return problem('basket_expired', 'The time of this basket is over. Open a new one.');
    case 'cancelled':
      return problem('basket_cancelled', 'This basket was cancelled. Open a new one.');
    case 'checked_out':
      return problem('basket_already_checked_out', 'This basket has become an order. Retrieve the basket to see it.');
    case 'checking_out':
      return beingPaid(Math.max(1, refusal.leaseUntilUnix - nowUnix));
    case 'taken_over':
      return beingPaid(1);
    case 'empty':
      return problem('basket_empty', 'There is nothing in this basket. Add an item first.');
    case 'not_in_basket':
      return problem('resource_not_found', 'This basket holds nothing of that price.');
    case 'other_event':
      return problem(
        'event_mismatch',
        'The basket holds tickets of another event. Open a second basket for this one.',
        {
          param: 'price_id',
        },
      );
    case 'too_many_tickets':
      return problem(
        'basket_full',
        `A basket holds at most ${mostBasketTickets} tickets. This one holds ${refusal.held}, and ${refusal.wanted} more do not fit.`,
        { param: 'quantity' },
      );
    case 'too_many_prices':
      return problem(
        'basket_full',
        `A basket holds tickets of at most ${mostBasketPrices} prices. Open a second one.`,
        {
          param: 'price_id',
        },
      );
    case 'not_on_sale':
      return problem('price_not_on_sale', `This price cannot be bought now. ${offSale[refusal.because]}`, {
        param: 'price_id',
      });
    case 'sold_out':
      return problem('sold_out', 'Fewer tickets of this price are left than you asked for.', { param: 'quantity' });
    case 'membership_required':
      return problem(
        'membership_required',
        'The basket holds a price for members, and this email address belongs to no paid member of its type.',
        { param: 'customer.email' },
      );
    case 'payment_method_missing':
      return problem('parameter_missing', 'The parameter payment_method is required where there is something to pay.', {
        param: 'payment_method',
      });
    case 'payment_account_missing':
      return problem(
        'payment_account_missing',
        'The organisation has no account at the payment provider yet, so that nothing can be paid for.',
      );
  }
}

function beingPaid(retryAfterSeconds: number): Problem {
  return problem('checkout_in_progress', 'This basket is being paid for. Retrieve it in a moment to see the outcome.', {
    retryAfterSeconds,
  });
}
