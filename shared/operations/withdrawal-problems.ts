import type { ProblemTypes } from './authentication-problems.ts';

/** The problems of withdrawals. */
export const withdrawalProblems = {
  withdrawal_not_offered: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The memberships were sold without a right of withdrawal, or have ended, or the order has none.',
  },
  withdrawal_open: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A withdrawal from one of the memberships waits for a decision already.',
  },
  withdrawal_decided: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The withdrawal was accepted or refused before.',
  },
  confirm_token_expired: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The request was not confirmed within 24 hours. It stays listed for the organisation.',
  },
} as const satisfies ProblemTypes;
