/**
 * The three request limits of the service and the arithmetic of their windows. Windows are clock minutes and UTC days,
 * so the Unix epoch's minutes and days are theirs.
 */
const minuteSeconds = 60;
const daySeconds = 86_400;

export const windowNames = ['key_minute', 'key_day', 'organisation_day'] as const;
export type WindowName = (typeof windowNames)[number];

export const windowRules: Readonly<Record<WindowName, { limit: number; seconds: number }>> = {
  key_minute: { limit: 300, seconds: minuteSeconds },
  key_day: { limit: 30_000, seconds: daySeconds },
  organisation_day: { limit: 50_000, seconds: daySeconds },
};

export interface WindowState {
  readonly name: WindowName;
  readonly limit: number;
  readonly remaining: number;
  /** The Unix second at which the window starts anew. */
  readonly resetsAtUnix: number;
}

/** Which minute, day … of the epoch an instant lies in. */
export function windowIndex(name: WindowName, nowMs: number): number {
  return Math.floor(nowMs / 1000 / windowRules[name].seconds);
}

export function windowState(name: WindowName, used: number, nowMs: number): WindowState {
  const { limit, seconds } = windowRules[name];
  return {
    name,
    limit,
    remaining: Math.max(0, limit - used),
    resetsAtUnix: (windowIndex(name, nowMs) + 1) * seconds,
  };
}

/** The window that will refuse first. On a tie the shorter one, which stands first, is the more useful to know. */
export function tightestWindow(states: readonly WindowState[]): WindowState | undefined {
  return states.reduce<WindowState | undefined>(
    (tightest, state) => (tightest === undefined || state.remaining < tightest.remaining ? state : tightest),
    undefined,
  );
}

/** Of the windows that are full, the one that keeps the caller out longest: waiting for another would end in a second 429. */
export function blockingWindow(states: readonly WindowState[]): WindowState | undefined {
  return states
    .filter((state) => state.remaining === 0)
    .reduce<WindowState | undefined>(
      (longest, state) => (longest === undefined || state.resetsAtUnix > longest.resetsAtUnix ? state : longest),
      undefined,
    );
}

/** Whole seconds, rounded up and at least one: a request made that many seconds later falls into the next window. */
export function secondsUntilReset(state: WindowState, nowMs: number): number {
  return Math.max(1, Math.ceil(state.resetsAtUnix - nowMs / 1000));
}
