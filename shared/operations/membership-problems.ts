import type { ProblemTypes } from './authentication-problems.ts';

/** The error codes of memberships. */
export const membershipProblems = {
  membership_not_on_sale: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The membership type is not on sale. The message says why.',
  },
  membership_not_renewable: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The membership cannot be renewed, or has changed since the renewal was added to the basket. The message says why.',
  },
  card_not_valid: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The membership has no card: it is unpaid, cancelled or over, or it has no barcode.',
  },
  member_cancelled: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The member is cancelled already.',
  },
  not_bought_here: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The membership was not bought through Gateline, so nothing can be refunded.',
  },
  member_without_customer: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The member belongs to no customer, so no payment method can be saved for it.',
  },
  refund_in_progress: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'A refund of the membership or the ticket is in progress. Until it has ended, a term is neither renewed, replaced nor cancelled, and a ticket not cancelled.',
  },
  later_term_exists: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A member has a later term than the one to end. Refund or cancel the order of the last term first.',
  },
} as const satisfies ProblemTypes;
