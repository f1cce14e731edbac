import { type Problem, problem } from '../../problem.ts';

/** The problem of a payment that cannot begin. Nothing was charged. */
export function paymentRefusal(
  reason:
    | 'payment_method_missing'
    | 'payment_not_needed'
    | 'payment_option_not_offered'
    | 'consent_missing'
    | 'payment_account_missing',
): Problem {
  switch (reason) {
    case 'payment_method_missing':
      return problem(
        'parameter_missing',
        'The parameter payment_method is required: this basket is not free, and no payment is prepared for it.',
        { param: 'payment_method' },
      );
    case 'payment_not_needed':
      return problem('payment_not_needed', 'This basket is free. Check it out without payment_method.');
    case 'payment_option_not_offered':
      return problem(
        'payment_option_not_offered',
        'This basket does not offer this payment option. Choose one of its payment_options, or leave membership_payment_option_id out to pay everything at once. Nothing was charged.',
        { param: 'membership_payment_option_id' },
      );
    case 'consent_missing':
      return problem(
        'consent_missing',
        'This payment option charges the buyer later. Send consent true, and in consent_text what the buyer has agreed to. Nothing was charged.',
        { param: 'consent' },
      );
    case 'payment_account_missing':
      return problem(
        'payment_account_missing',
        'The organisation has no payment account yet, so it cannot take payments. Contact support.',
      );
  }
}
