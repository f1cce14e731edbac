import type { SeatBlock as StoredBlock } from '../domain/seats/seat-block.ts';
import type { SeatBlock } from '../operations/schemas/seat-block.ts';

export function seatBlockResource(block: StoredBlock): SeatBlock {
  return {
    seat_block_id: block.blockId,
    event_id: String(block.eventId),
    seats: [...block.seats],
    reason: block.reason,
    release_unix: block.releaseUnix,
    created: block.createdUnix,
  };
}
