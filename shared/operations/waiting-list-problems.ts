import type { ProblemTypes } from './authentication-problems.ts';

/** The problems of what is sold out, and of waiting lists. */
export const waitingListProblems = {
  sold_out: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Not enough tickets are left at this price or in the section, or not enough memberships of this type.',
  },
  waiting_list_open: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Somebody waits for these tickets, so nobody else can add them to a basket. Join the waiting list.',
  },
  waiting_list_closed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The sale ends in less than 24 hours, so nothing is offered to those who wait any more.',
  },
  waiting_list_not_offered: {
    status: 409,
    type: 'conflict_error',
    meaning: 'There is no waiting list for numbered seats.',
  },
  not_sold_out: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The price is not sold out, so there is nothing to wait for. Add it to a basket.',
  },
  already_waiting: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The person waits for this price already, for another number of tickets. Leave the list first.',
  },
} as const satisfies ProblemTypes;
