/** Why a bank or the provider declined a charge. The code is the provider's own; null if it gave none. */
export interface DeclineReason {
  readonly code: string | null;
  readonly message: string;
}

/**
 * What a decline means for a later try with the same card. `retry`: it may succeed on another day. `act`: it never will, or only
 * with the owner of the card, who has to authenticate or to give another card.
 */
export type DeclineVerdict = 'retry' | 'act';

/** Declines that a bank will repeat for ever. Trying again is useless, and card schemes charge for it. https://docs.stripe.com/declines/codes */
const finalCodes: ReadonlySet<string> = new Set([
  'account_changed',
  'authentication_required',
  'card_not_supported',
  'currency_not_supported',
  'do_not_honor',
  'do_not_try_again',
  'expired_card',
  'fraudulent',
  'incorrect_number',
  'invalid_account',
  'invalid_number',
  'lost_card',
  'membership_cancelled',
  'merchant_blacklist',
  'method_missing',
  'new_account_information_available',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'service_not_allowed',
  'stolen_card',
  'stop_payment_order',
  'transaction_not_allowed',
]);

export function declineVerdict({ code }: Pick<DeclineReason, 'code'>): DeclineVerdict {
  return code !== null && finalCodes.has(code) ? 'act' : 'retry';
}
