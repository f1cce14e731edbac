/** The error codes of sales at the counter. */
export const counterProblems = {
  customer_required: {
    status: 400,
    type: 'invalid_request_error',
    meaning:
      'The basket cannot be sold without a customer: it has a membership, a price for members, or a price with a limit for each person or member.',
  },
  invoice_open: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'Something is owed of the invoice. Cancelling would leave the debt without tickets: refund-order writes it off.',
  },
  more_than_owed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The amount is more than what is owed of the order. The message names what is.',
  },
  not_at_counter: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The price is not sold at the counter, or the basket was not opened for it (`channel` of open-basket).',
  },
  refund_not_awaited: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Nobody has to hand the money of the refund over: the provider returns it, or somebody has.',
  },
} as const;
