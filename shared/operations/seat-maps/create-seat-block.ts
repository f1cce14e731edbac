import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { seatBlockLimits } from '../../domain/seats/seat-block.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { field, UnixBound } from '../schemas/fields.ts';
import { SeatBlock } from '../schemas/seat-block.ts';
import { text } from '../schemas/text.ts';

export const createSeatBlock = defineOperation({
  id: 'create-seat-block',
  resource: 'seat-maps',
  summary: 'Block seats of an event',
  description: `Takes seats of an event out of the sale, all or none, until \`release_unix\` or until delete-seat-block. A block has at most
${seatBlockLimits.seats} seats in at most ${seatBlockLimits.rows} rows; an event can have many blocks. A seat that somebody has is a 409 \`seat_taken\`, and nothing is blocked. Blocked
seats may leave single seats. The event keeps its seat map from then on.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/seat_blocks'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: eventPath,
    body: v.strictObject({
      seats: field(
        v.pipe(v.array(text(100)), v.minLength(1), v.maxLength(seatBlockLimits.seats)),
        'The seats, as `section/row/seat`.',
      ),
      reason: v.optional(
        field(v.nullable(text(seatBlockLimits.reason)), 'Why they are not for sale, such as Camera position.'),
        null,
      ),
      release_unix: v.optional(
        field(
          v.nullable(UnixBound),
          'When the seats are for sale again, in Unix seconds. It must be in the future. Null or absent: when the block is deleted.',
        ),
        null,
      ),
    }),
  },
  output: {
    status: 201,
    schema: SeatBlock,
    problems: ['seat_unknown', 'seat_taken'],
    links: [
      {
        to: 'delete-seat-block',
        params: { event_id: '$request.path.event_id', seat_block_id: '$response.body#/seat_block_id' },
      },
    ],
  },
  effects: { access: [catalogueAccess.blockSeats], cannotBeUndone: false },
});
