import type { NotCheckedOut, OptionUnknown } from '../../../sales/checkout/outcomes.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';
import { basketProblem } from './basket-problem.ts';

/** The sweeper asks the payment provider for the outcome within this time. */
const settledWithinSeconds = 90;

/** A basket whose payment fails after its expiry does not reopen. */
const basketReopened = 'The basket is open again, unless it has expired.';

/** The problem that reports a failed checkout. */
export function checkoutProblem(result: NotCheckedOut | OptionUnknown, nowUnix: number): Problem {
  switch (result.outcome) {
    case 'missing':
      return notFound('basket');
    case 'refused':
      return basketProblem(result.refusal, nowUnix);
    case 'option_unknown':
      return referenceMissing('payment option', 'membership_payment_option_id');
    case 'declined':
      return problem(
        'card_declined',
        `${result.message} Nothing was charged. Try another payment method. ${basketReopened}`,
        {
          param: 'payment_method',
        },
      );
    case 'method_unknown':
      return referenceMissing('payment method', 'payment_method');
    case 'provider_refused':
      return problem(
        'payment_refused',
        `The payment provider rejected this payment (${result.code}). Another payment method will not help. Nothing was charged. ${basketReopened}`,
      );
    case 'provider_unavailable':
      return problem(
        'dependency_unavailable',
        `The payment provider could not be reached. Nothing was charged. ${basketReopened}`,
        { retryAfterSeconds: 5 },
      );
    case 'payment_unknown':
      return problem(
        'payment_unknown',
        'The payment provider has not responded. The basket keeps its tickets, and the service asks again by itself: retrieve the basket to wait for the outcome. The same request, sent again, returns the order if the payment succeeded; a payment that was not paid begins anew, and the basket is checking_out for longer.',
        { retryAfterSeconds: settledWithinSeconds },
      );
    case 'payment_mismatch':
      return problem(
        'payment_mismatch',
        'The amount or the currency of the payment is not that of the basket. The payment is refunded, and the tickets are released. Open a new basket.',
      );
    case 'action_required':
      return problem(
        'payment_action_required',
        'The buyer has to act before the payment can succeed. The basket keeps its tickets for up to 15 minutes. Follow next_action of the payment, or use its client_secret, and then send the same request again.',
        { payment: result.payment },
      );
  }
}
