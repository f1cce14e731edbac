import type { NotCheckedOut } from '../checkout/check-out.ts';
import { basketProblem } from './basket-problem.ts';
import { notFound, type Problem, problem, referenceMissing } from './problem.ts';

/** The sweeper asks the provider within this long. */
const askedWithinSeconds = 90;

/** What a client is told when a basket did not become an order. */
export function checkoutProblem(result: NotCheckedOut, nowUnix: number): Problem {
  switch (result.outcome) {
    case 'missing':
      return notFound('basket');
    case 'refused':
      return basketProblem(result.refusal, nowUnix);
    case 'declined':
      return problem('card_declined', `${result.message} Nothing was charged, and the basket is open again.`, {
        param: 'payment_method',
      });
    case 'method_unknown':
      return referenceMissing('payment method', 'payment_method');
    case 'provider_unavailable':
      return problem(
        'dependency_unavailable',
        'The payment provider could not be reached. Nothing was charged, and the basket is open again.',
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
