import { decodeTime, encodeTime, ulid } from 'ulid';

/** Event ids sort by their millisecond of creation. The feed, the body and the header webhook-id contain the same id. */
const prefix = 'evt_';

export function newEventId(nowMs: number): string {
  return prefix + ulid(nowMs);
}

export function eventIdMs(eventId: string): number {
  return decodeTime(eventId.slice(prefix.length));
}

/** Smaller than every id from this millisecond on, greater than every earlier id. */
export function eventIdFloor(ms: number): string {
  return prefix + encodeTime(Math.max(0, ms));
}
