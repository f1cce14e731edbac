import { decodeTime, encodeTime, ulid } from 'ulid';

/** Sorts by the millisecond it was made in, and is the same in the feed, in the body and in the header webhook-id. */
const prefix = 'evt_';

export function newEventId(nowMs: number): string {
  return prefix + ulid(nowMs);
}

export function eventIdMs(eventId: string): number {
  return decodeTime(eventId.slice(prefix.length));
}

/** Smaller than every id made from this millisecond on, greater than every id before. */
export function eventIdFloor(ms: number): string {
  return prefix + encodeTime(Math.max(0, ms));
}
