/**
 * The three request limits of API keys, those of gate tokens and storefront tokens, and the arithmetic of their windows. Windows are clock
 * minutes and UTC days, so they are numbered by the minutes and days since the Unix epoch.
 */
const minuteSeconds = 60;
const daySeconds = 86_400;

/** The windows of API keys. */
export const windowNames = ['key_minute', 'key_day', 'organisation_day'] as const;
export type WindowName = (typeof windowNames)[number];
/** The window of a gate token. 80,000 people at a stadium's gates would exceed the daily limit of an organisation. */
export type GateWindowName = 'gate_minute';
/**
 * The windows of a storefront token: requests from one client address, baskets that were opened from it in the lifetime of a basket,
 * wrong codes that were tried from it, requests for one basket by its buyer, wrong codes that were tried in it, and an approximate ceiling for
 * all other requests with the token.
 */
export type StorefrontWindowName =
  | 'address_minute'
  | 'address_baskets'
  | 'address_codes'
  | 'basket_minute'
  | 'basket_codes'
  | 'storefront_minute';
type AnyWindowName = WindowName | GateWindowName | StorefrontWindowName;

export const windowRules: Readonly<Record<AnyWindowName, { limit: number; seconds: number }>> = {
  key_minute: { limit: 300, seconds: minuteSeconds },
  key_day: { limit: 30_000, seconds: daySeconds },
  organisation_day: { limit: 50_000, seconds: daySeconds },
  gate_minute: { limit: 600, seconds: minuteSeconds },
  address_minute: { limit: 600, seconds: minuteSeconds },
  address_baskets: { limit: 100, seconds: 15 * minuteSeconds },
  address_codes: { limit: 100, seconds: minuteSeconds },
  basket_minute: { limit: 120, seconds: minuteSeconds },
  // Longer than a basket can be kept.
  basket_codes: { limit: 10, seconds: 61 * daySeconds },
  storefront_minute: { limit: 60_000, seconds: minuteSeconds },
};

export interface WindowState<Name extends AnyWindowName = AnyWindowName> {
  readonly name: Name;
  readonly limit: number;
  readonly remaining: number;
  /** The Unix second at which the next window starts. */
  readonly resetsAtUnix: number;
}

export function isKeyWindow(state: WindowState): state is WindowState<WindowName> {
  return windowNames.some((name) => name === state.name);
}

/** Returns the number of the window (the minute or day since the epoch) that contains an instant. */
export function windowIndex(name: AnyWindowName, nowMs: number): number {
  return Math.floor(nowMs / 1000 / windowRules[name].seconds);
}

export function windowState<Name extends AnyWindowName>(
  name: Name,
  used: number,
  nowMs: number,
  limit = windowRules[name].limit,
): WindowState<Name> {
  const { seconds } = windowRules[name];
  return {
    name,
    limit,
    remaining: Math.max(0, limit - used),
    resetsAtUnix: (windowIndex(name, nowMs) + 1) * seconds,
  };
}

/** Returns the window with the fewest remaining requests. On a tie it is the shorter window, which comes first in the list. */
export function tightestWindow(states: readonly WindowState[]): WindowState | undefined {
  return states.reduce<WindowState | undefined>(
    (tightest, state) => (tightest === undefined || state.remaining < tightest.remaining ? state : tightest),
    undefined,
  );
}

/** Returns the exhausted window that resets last: a client that waited for another one would receive a second 429. */
export function blockingWindow(states: readonly WindowState[]): WindowState | undefined {
  return states
    .filter((state) => state.remaining === 0)
    .reduce<WindowState | undefined>(
      (longest, state) => (longest === undefined || state.resetsAtUnix > longest.resetsAtUnix ? state : longest),
      undefined,
    );
}

/** Whole seconds, rounded up and at least one: a request after that many seconds falls into the next window. */
export function secondsUntilReset(state: WindowState, nowMs: number): number {
  return Math.max(1, Math.ceil(state.resetsAtUnix - nowMs / 1000));
}
