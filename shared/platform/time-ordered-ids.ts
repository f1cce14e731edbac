import { decodeTime, encodeTime, ulid } from 'ulid';

/** Ids that sort by their millisecond of creation: a prefix that names the kind, and a ULID. */
export function timeOrderedIds(prefix: string) {
  return {
    create: (nowMs: number): string => prefix + ulid(nowMs),
    msOf: (id: string): number => decodeTime(id.slice(prefix.length)),
    /** Smaller than every id from this millisecond on, greater than every earlier id. */
    floor: (ms: number): string => prefix + encodeTime(Math.max(0, ms)),
  };
}
