/** The rules of API keys: how many, how long, and what rotating one means. All times are Unix seconds. */
export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];

/** Keys of one organisation that are neither revoked nor expired. */
export const liveKeyLimit = 20;

/** A day is enough to put a new key into service, and short enough that the old one is not forgotten. */
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

/** When a key that is being replaced ends: after the overlap, or sooner if it would have ended sooner anyway. */
export function overlapEnd(expiresUnix: number | null, nowUnix: number, overlapSeconds: number): number {
  return Math.min(expiresUnix ?? Number.POSITIVE_INFINITY, nowUnix + overlapSeconds);
}

/**
 * The time a key was meant to live from its making. It is kept beside the expiry, because a rotation shortens the expiry and
 * the next key should still live as long as the first was meant to.
 */
export function lifetimeOf(expiresUnix: number | null, createdUnix: number): number | null {
  return expiresUnix === null ? null : expiresUnix - createdUnix;
}

export function expiryAfter(lifetimeSeconds: number | null, createdUnix: number): number | null {
  return lifetimeSeconds === null ? null : createdUnix + lifetimeSeconds;
}
