import type { NotPaid } from '../../../charges/pay-outcomes.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

/** The worker asks the payment provider for the outcome within this time. */
const settledWithinSeconds = 90;

interface PaymentBody {
  readonly paid_elsewhere: boolean;
  readonly payment_method: string | null;
  readonly save: boolean;
  readonly kind: string | null;
  readonly reference: string | null;
  readonly station: string | null;
  readonly operator: string | null;
}

/** Only the organisation's server knows that money was received elsewhere, and then nothing is charged. */
export function checkPaidElsewhere(caller: Caller, body: PaymentBody): void {
  if (!body.paid_elsewhere) {
    const param = (['kind', 'reference', 'station', 'operator'] as const).find((name) => body[name] !== null);
    if (param === undefined) return;
    throw problem('parameter_conflict', `The parameter ${param} is only for paid_elsewhere.`, { param });
  }
  if (caller.kind === 'storefront') {
    const message = 'The parameter paid_elsewhere needs an API key.';
    throw problem('parameter_unknown', message, { param: 'paid_elsewhere' });
  }
  if (body.payment_method === null && !body.save) return;
  const message = 'Send paid_elsewhere without payment_method and save: what was paid elsewhere is not charged.';
  throw problem('parameter_conflict', message, { param: 'paid_elsewhere' });
}

/** The problem that reports an instalment that was not paid. */
export function instalmentProblem(result: NotPaid): Problem {
  switch (result.outcome) {
    case 'missing':
      return notFound('payment plan');
    case 'no_such_instalment':
      return referenceMissing('instalment in this payment plan', 'number');
    case 'not_due':
      return problem('instalment_not_due', 'Nothing of this payment plan is left to pay.');
    case 'other_person':
      return problem(
        'parameter_conflict',
        'The membership belongs to another customer than the one who agreed to this payment plan. Leave out save.',
        { param: 'save' },
      );
    case 'cancelled':
      return problem('instalment_cancelled', 'This instalment was cancelled, and is not owed any more.', {
        param: 'number',
      });
    case 'in_progress':
      return problem(
        'payment_in_progress',
        'An instalment of this membership is being charged. Retrieve the payment plan in a minute to see the outcome.',
        { retryAfterSeconds: 60 },
      );
    case 'declined':
      return problem('card_declined', `${result.message} Nothing was charged. Try another payment method.`, {
        param: 'payment_method',
      });
    case 'method_unknown':
      return referenceMissing('payment method', 'payment_method');
    case 'provider_refused':
      return problem(
        'payment_refused',
        `The payment provider rejected this payment (${result.code}). Another payment method will not help. Nothing was charged.`,
      );
    case 'provider_unavailable':
      return problem('dependency_unavailable', 'The payment provider could not be reached. Nothing was charged.', {
        retryAfterSeconds: 5,
      });
    case 'payment_unknown':
      return problem(
        'payment_unknown',
        'The payment provider has not responded. Retrieve the payment plan later to see whether the instalment is paid.',
        { retryAfterSeconds: settledWithinSeconds },
      );
    case 'account_missing':
      return problem(
        'payment_account_missing',
        'The organisation has no payment account, so it cannot take payments. Contact support.',
      );
    case 'action_required':
      return problem(
        'payment_action_required',
        'The member has to act before the payment can succeed. Follow next_action of the payment, or use its client_secret, and then send the same request again.',
        { payment: result.payment },
      );
  }
}
