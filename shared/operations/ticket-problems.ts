import type { ProblemTypes } from './authentication-problems.ts';

/** The error codes of tickets: what their holders and the organisation cannot do with them any more. */
export const ticketProblems = {
  ticket_already_refunded: { status: 409, type: 'conflict_error', meaning: 'A ticket is refunded, or will be.' },
  ticket_not_active: { status: 409, type: 'conflict_error', meaning: 'A ticket is cancelled or refunded.' },
  names_closed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The name on the ticket cannot change any more.',
  },
} as const satisfies ProblemTypes;
