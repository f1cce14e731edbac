import * as v from 'valibot';
import { seatsAccess } from '../../data/seats/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, resource } from '../schemas/fields.ts';

export const deleteSeatBlock = defineOperation({
  id: 'delete-seat-block',
  resource: 'seat-maps',
  summary: 'Delete a block of seats',
  description: 'Ends the block at once: its seats are for sale again.',
  method: 'DELETE',
  paths: ['/v1/events/{event_id}/seat_blocks/{seat_block_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: v.strictObject({ ...eventPath.entries, seat_block_id: field(v.string(), 'The block.') }),
  },
  output: {
    schema: resource('DeletedSeatBlock', 'A deleted block of seats.', {
      seat_block_id: field(Id, 'The deleted block.'),
      deleted: field(v.literal(true), 'Always true.'),
    }),
  },
  effects: { access: [seatsAccess.deleteSeatBlock], cannotBeUndone: true },
});
