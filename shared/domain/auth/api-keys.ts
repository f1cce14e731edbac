/** The rules of API keys: their number, lifetime and rotation. All times are Unix seconds. */
export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];

/** How many keys of one organisation may be neither revoked nor expired. */
export const liveKeyLimit = 20;

/** A day is enough to deploy a new key, and short enough that the old one is not forgotten. */
export const defaultOverlapSeconds = 86_400;

export const keyStates = ['live', 'expired', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

interface KeyDates {
  readonly expiresUnix: number | null;
  readonly revokedUnix: number | null;
}

export function keyState({ expiresUnix, revokedUnix }: KeyDates, nowUnix: number): KeyState {
  if (revokedUnix !== null) return 'revoked';
  return expiresUnix !== null && expiresUnix <= nowUnix ? 'expired' : 'live';
}

/** Returns when a rotated key expires: after the overlap, or at its own expiry if that is earlier. */
export function overlapEnd(expiresUnix: number | null, nowUnix: number, overlapSeconds: number): number {
  return Math.min(expiresUnix ?? Number.POSITIVE_INFINITY, nowUnix + overlapSeconds);
}

/**
 * The intended lifetime of a key. It is stored in addition to the expiry, because a rotation shortens the expiry of the old
 * key, and the new key gets the lifetime that was originally intended.
 */
export function lifetimeOf(expiresUnix: number | null, createdUnix: number): number | null {
  return expiresUnix === null ? null : expiresUnix - createdUnix;
}

export function expiryAfter(lifetimeSeconds: number | null, createdUnix: number): number | null {
  return lifetimeSeconds === null ? null : createdUnix + lifetimeSeconds;
}
