import { ulid } from 'ulid';

/** Names an endpoint; sorts by the moment it was made. */
export function newEndpointId(nowMs: number): string {
  return `we_${ulid(nowMs)}`;
}

export function newReplayId(nowMs: number): string {
  return `wr_${ulid(nowMs)}`;
}
