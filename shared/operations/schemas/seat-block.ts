import * as v from 'valibot';
import { field, Id, resource, UnixSeconds } from './fields.ts';

export const SeatBlock = resource('SeatBlock', 'Seats of an event that are not for sale.', {
  seat_block_id: field(Id, 'Unique identifier of the block.'),
  event_id: field(v.string(), 'The event.'),
  seats: field(v.array(v.string()), 'The seats, as `section/row/seat`.'),
  reason: field(v.nullable(v.string()), 'Why they are not for sale, in your words; null if you did not say.'),
  release_unix: field(
    v.nullable(UnixSeconds),
    'When the seats are for sale again, in Unix seconds, within a minute; null if the block stays until it is deleted.',
  ),
  created: field(UnixSeconds, 'When the block was created, in Unix seconds.'),
});
export type SeatBlock = v.InferOutput<typeof SeatBlock>;
