import type { NotOpened } from '../../../charges/open-renewal.ts';
import type { NotSwitched } from '../../../charges/set-auto-renew.ts';
import type { MethodNotSaved } from '../../../charges/set-payment-method.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';

/** The problem of a membership that has no later charges. */
function notOpenedProblem({ outcome }: NotOpened): Problem {
  switch (outcome) {
    case 'missing':
      return notFound('member');
    case 'cancelled':
      return problem(
        'membership_not_renewable',
        'This membership was cancelled, so nothing is charged for it any more.',
      );
    case 'no_customer':
      return problem(
        'member_without_customer',
        'The member belongs to no customer, so no payment method can be saved for it. Link the member to a customer first.',
      );
  }
}

/** The problem that reports a payment method that was not saved. */
export function methodProblem(result: MethodNotSaved): Problem {
  switch (result.outcome) {
    case 'declined':
      return problem('card_declined', `${result.message} Nothing was saved or charged.`, { param: 'payment_method' });
    case 'method_unknown':
      return referenceMissing('payment method', 'payment_method');
    case 'refused':
      return problem(
        'payment_refused',
        `The payment provider saves no payment method for this organisation (${result.code}). Another payment method will not help.`,
      );
    case 'provider_unavailable':
      return problem('dependency_unavailable', 'The payment provider could not be reached. Nothing was saved.', {
        retryAfterSeconds: 5,
      });
    case 'in_progress':
      return problem(
        'payment_in_progress',
        'Another request changes the payment method of this membership. Send the request again.',
        { retryAfterSeconds: 1 },
      );
    case 'account_missing':
      return problem(
        'payment_account_missing',
        'The organisation has no payment account, so it cannot take payments. Contact support.',
      );
    default:
      return notOpenedProblem(result);
  }
}

interface Agreement {
  readonly auto_renew: boolean;
  readonly consent: boolean;
  readonly consent_text: string | null;
}

/** What the member agrees to; null if auto-renewal is switched off. */
export function agreedText({ auto_renew, consent, consent_text }: Agreement): string | null {
  if (!auto_renew) return null;
  if (!consent) {
    const message = 'Auto-renewal charges the member later. Send consent, true, once the member has agreed to it.';
    throw problem('consent_missing', message, { param: 'consent' });
  }
  if (consent_text === null) {
    const message = 'Auto-renewal charges the member later. Send the words that the member agreed to in consent_text.';
    throw problem('consent_missing', message, { param: 'consent_text' });
  }
  return consent_text;
}

/** The problem that reports that auto-renewal was not switched. */
export function notSwitchedProblem({ outcome }: NotSwitched): Problem {
  switch (outcome) {
    case 'in_progress':
      return problem(
        'payment_in_progress',
        'The renewal of this membership is being charged. Retrieve the member in a minute to see the outcome.',
        { retryAfterSeconds: 60 },
      );
    case 'endless':
      return problem('membership_not_renewable', 'This membership does not expire, so it needs no renewal.');
    case 'expired':
      return problem('membership_not_renewable', 'This membership has expired. Renew it first.');
    case 'not_renewable':
      return problem(
        'membership_not_renewable',
        'Nothing can follow this membership: its type has no type that it is renewed as, or that one is for fewer people or adds nothing.',
      );
    case 'method_missing':
      return problem(
        'payment_method_missing',
        'No payment method is saved for this membership. Save one with set-payment-method first.',
      );
    default:
      return notOpenedProblem({ outcome });
  }
}
