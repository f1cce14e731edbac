import type { ProblemTypes } from './authentication-problems.ts';

/** The problems of phases: of who may buy, when and how many. */
export const phaseProblems = {
  phase_overlap: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'Another phase sells one of the prices at the same time. The message names it.',
  },
  phase_not_open: {
    status: 403,
    type: 'permission_error',
    meaning: 'The price is sold in phases, and none is open now. `phase` in the body says when the next one opens.',
  },
  not_eligible: {
    status: 403,
    type: 'permission_error',
    meaning: 'The phase that is open is for other buyers. `phase` in the body says what the buyer lacks.',
  },
  max_per_person_exceeded: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'With this basket the buyer would have more tickets of a phase than one person may buy, with those of earlier orders.',
  },
  too_many_phases: {
    status: 409,
    type: 'conflict_error',
    meaning: 'An event can have at most 20 phases, and 511 in all with deleted ones.',
  },
} as const satisfies ProblemTypes;
