import type { ProblemTypes } from './authentication-problems.ts';

export const listProblems = {
  cursor_invalid: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The cursor belongs to another list or to other filters.',
  },
  events_expired: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'Events after this time are no longer kept. The field available_from says from when on they are.',
  },
  too_many_members: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The members do not fit in one response. Page through them with `limit` and `cursor`.',
  },
} as const satisfies ProblemTypes;
