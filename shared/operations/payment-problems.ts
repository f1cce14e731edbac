/** The error codes of payments. */
export const paymentProblems = {
  consent_missing: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The buyer or member is charged later, and `consent` or `consent_text` is missing.',
  },
  card_declined: {
    status: 402,
    type: 'payment_error',
    meaning: 'The payment was declined and nothing was charged. Another payment method may work.',
  },
  payment_refused: {
    status: 402,
    type: 'payment_error',
    meaning:
      "The payment provider rejected the payment, and another payment method will not help. The message contains the provider's code.",
  },
  payment_action_required: {
    status: 402,
    type: 'payment_error',
    meaning:
      'The buyer has to act before the payment can succeed, for example to authenticate. The field `payment` beside `error` says how. A basket keeps its tickets meanwhile; send the same request again afterwards.',
  },
  payment_not_needed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The basket is free, so there is no payment to prepare.',
  },
  payment_option_not_offered: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The memberships of the basket do not all offer the payment option, or did not when they were added.',
  },
  payment_customer_mismatch: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The payment of the basket was prepared for another customer.',
  },
  plan_open: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Instalments of the membership are outstanding.',
  },
  payment_method_missing: {
    status: 409,
    type: 'conflict_error',
    meaning: 'No payment method is saved for the membership. Save one with set-payment-method.',
  },
  payment_in_progress: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'An instalment or a renewal of the membership is being charged, or its payment method is being changed. The Retry-After header says when to retry.',
  },
  instalment_not_due: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Nothing of the payment plan is left to pay.',
  },
  instalment_cancelled: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The instalment was cancelled and is not owed any more.',
  },
  payment_mismatch: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The amount or the currency of the payment is not that of the basket. The payment is refunded, and the tickets are released.',
  },
  payment_account_missing: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The organisation has no payment account yet.',
  },
  payment_unknown: {
    status: 503,
    type: 'api_error',
    meaning:
      'The payment provider did not respond in time. The same request, sent again, returns what was paid, and begins an unpaid payment anew. A basket keeps its tickets until the outcome is known: retrieve it to wait.',
  },
} as const;
