import type { ProblemTypes } from './authentication-problems.ts';

/** The problems of codes that fans apply to baskets. */
export const codeProblems = {
  code_unknown: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The organisation has no such code, or it is not valid yet.',
  },
  code_expired: { status: 409, type: 'conflict_error', meaning: 'The code is not valid any more.' },
  code_used_up: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The code was used as often as it can be. A use comes back when a basket that has it is not paid.',
  },
  code_not_applicable: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The code is for other prices or events than those in the basket.',
  },
  code_needed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A line of the basket is only sold with its code.',
  },
  code_attempts_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    meaning: 'Too many wrong codes were tried in the basket.',
  },
} as const satisfies ProblemTypes;
