/** The error codes of reserved seating. */
export const seatProblems = {
  seat_unknown: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The seat map of the event has no such seat.',
  },
  seat_wrong_zone: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The price does not sell the zone of the seat.',
  },
  seats_not_ready: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The seats of members are not entered into the event yet. The message names the job, or says to save a draft first.',
  },
  companion_only: {
    status: 403,
    type: 'permission_error',
    meaning: 'A companion seat is sold only together with its wheelchair place.',
  },
  seat_taken: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'Somebody else has one of the seats. `seats` in the body names them, and its `rows` are the rows as they are now.',
  },
  seats_not_together: {
    status: 409,
    type: 'conflict_error',
    meaning: 'There are as many free seats, but not together. Ask for fewer, or send `together` false.',
  },
  accessible_sold_out: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Not as many wheelchair places are left as `accessible` asks for, however many other seats are.',
  },
  leaves_single_seat: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The seats leave a single free seat behind. `seats` in the body names it, and its `instead` has takes that are allowed.',
  },
} as const;
