/** The error codes of the catalogue: what a change of an event or a price must not do. */
export const catalogueProblems = {
  event_status_conflict: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The event cannot change from its status to this one.',
  },
  event_has_orders: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The event has orders, or tickets of it are held in baskets, so it cannot be deleted.',
  },
  already_sold: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Tickets of the event are sold or held, or members have the seats, so this can no longer change.',
  },
  currency_fixed: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The event has prices, whose amounts would change with its currency.',
  },
  code_taken: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another object has this code. Choose another one, or change that object.',
  },
  version_conflict: {
    status: 412,
    type: 'conflict_error',
    meaning: 'The object has changed since the version in the If-Match header.',
  },
  capacity_taken: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The capacity is lower than the number of tickets that are sold and held. The message has the numbers.',
  },
  stocks_taken: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The price cannot join or leave a pool, or get or lose a capacity of its own, while its tickets are sold or held.',
  },
  zone_missing: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The event sells the seats of a seat map, and an active price category sells no zone of it.',
  },
  too_many_prices: {
    status: 409,
    type: 'conflict_error',
    meaning: 'An event can have at most 511 prices and pools.',
  },
} as const;
