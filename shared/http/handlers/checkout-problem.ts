import type { NotCheckedOut } from '../../checkout/check-out.ts';
import { notFound, type Problem, problem, referenceMissing } from '../problem.ts';
import { basketProblem } from './basket-problem.ts';

/** The sweeper asks the provider within this long. */
const askedWithinSeconds = 90;

/** A no that comes later than the basket's time ends it. */
const keptOpen = 'The basket is open again, unless its time is over.';

/** What a client is told when a basket did not become an order. */
export function checkoutProblem(result: NotCheckedOut, nowUnix: number): Problem {
  switch (result.outcome) {
    case 'missing':
      return notFound('basket');
    case 'refused':
      return basketProblem(result.refusal, nowUnix);
    case 'declined':
      return problem('card_declined', `${result.message} Nothing was charged. ${keptOpen}`, {
        param: 'payment_method',
      });
    case 'method_unknown':
      return referenceMissing('payment method', 'payment_method');
    case 'provider_refused':
      return problem(
        'payment_refused',
        `The payment provider does not take this payment (${result.code}), whatever it is paid with. Nothing was charged. ${keptOpen}`,
      );
    case 'provider_unavailable':
      return problem(
        'dependency_unavailable',
        `The payment provider could not be reached. Nothing was charged. ${keptOpen}`,
        { retryAfterSeconds: 5 },
      );
    case 'payment_unknown':
      return problem(
        'payment_unknown',
        'The payment provider has not answered. The basket stays held: retrieve it later to see whether it was paid.',
        { retryAfterSeconds: askedWithinSeconds },
      );
  }
}
