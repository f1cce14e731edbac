/** The error codes of sales at the counter. */
export const counterProblems = {
  not_at_counter: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The price is not sold at the counter, or the basket was not opened for it (`channel` of open-basket).',
  },
} as const;
