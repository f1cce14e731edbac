/** The largest numbers of a membership type, in imports and in the API. */
export const membershipLimits = {
  /** A basket has memberships of at most four people. */
  persons: 4,
  termMonths: 120,
  entries: 10_000,
  graceDays: 365,
  withdrawalDays: 365,
  paymentOptions: 50,
  instalments: 1_000,
} as const;
