/** The error codes of receipts. */
export const receiptProblems = {
  invoice_address_set: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The order has another invoice address. It is set once.',
  },
  invoice_address_closed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The order is older than 60 days, cancelled or refunded, so its receipt is not made out again.',
  },
} as const;
