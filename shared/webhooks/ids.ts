import { ulid } from 'ulid';

/** ULIDs sort by the time of creation. */
export function newEndpointId(nowMs: number): string {
  return `we_${ulid(nowMs)}`;
}

export function newReplayId(nowMs: number): string {
  return `wr_${ulid(nowMs)}`;
}
