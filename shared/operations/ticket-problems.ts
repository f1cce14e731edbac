import type { ProblemTypes } from './authentication-problems.ts';

/** The error codes of tickets: what their holders and the organisation cannot do with them any more. */
export const ticketProblems = {
  ticket_already_refunded: { status: 409, type: 'conflict_error', meaning: 'A ticket is refunded, or will be.' },
  ticket_not_active: { status: 409, type: 'conflict_error', meaning: 'A ticket is cancelled or refunded.' },
  barcode_not_yet: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The barcode of the ticket is not shown to fans yet, so it has no documents.',
  },
  names_closed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The name on the ticket cannot change any more.',
  },
  wallet_not_configured: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The service has no certificate or account of this wallet. The PDF works without.',
  },
  ticket_scanned: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The ticket was scanned at a gate, so it can be neither given away nor cancelled by its buyer.',
  },
  transfer_not_allowed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The ticket cannot be given away: its price forbids it, or it was offered or given away too often.',
  },
  transfer_closed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'It is too late to give the ticket away, or its event was cancelled.',
  },
  transfer_pending: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The ticket is offered to somebody already. Cancel that transfer first.',
  },
  ticket_given_away: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The ticket was given to somebody else, so its buyer cannot cancel it.',
  },
  self_cancel_not_allowed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Buyers cannot cancel this ticket by themselves: its price had no terms for it at the sale.',
  },
  self_cancel_closed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'It is too late for the buyer to cancel the ticket.',
  },
  event_cancelled: { status: 409, type: 'conflict_error', meaning: 'The event was cancelled.' },
  transfer_not_open: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The transfer was accepted or cancelled, or it has expired.',
  },
} as const satisfies ProblemTypes;
