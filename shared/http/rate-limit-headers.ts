import {
  secondsUntilReset,
  tightestWindow,
  type WindowState,
  windowNames,
  windowRules,
} from '../domain/auth/rate-windows.ts';

export type Headers = Record<string, string>;

const headerName = (name: string): string => `"${name.replace('_', '-')}"`;

/** The windows by themselves, the same on every response to a kind of caller (draft-ietf-httpapi-ratelimit-headers). */
const policyOf = (names: readonly WindowState['name'][]): string =>
  names.map((name) => `${headerName(name)};q=${windowRules[name].limit};w=${windowRules[name].seconds}`).join(', ');

/** For a response to nobody in particular: without a valid key there is nothing left to use. */
export const anonymousRateHeaders: Headers = {
  'X-RateLimit-Limit': String(windowRules.key_minute.limit),
  'X-RateLimit-Remaining': '0',
  'RateLimit-Policy': policyOf(windowNames),
  RateLimit: windowNames.map((name) => `${headerName(name)};r=0`).join(', '),
};

/** The two X- headers speak of the window that will refuse first; the two others of all. */
export function rateHeaders(windows: readonly WindowState[], nowMs: number): Headers {
  const tightest = tightestWindow(windows);
  if (tightest === undefined) return anonymousRateHeaders;
  return {
    'X-RateLimit-Limit': String(tightest.limit),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'RateLimit-Policy': policyOf(windows.map(({ name }) => name)),
    RateLimit: windows
      .map((state) => `${headerName(state.name)};r=${state.remaining};t=${secondsUntilReset(state, nowMs)}`)
      .join(', '),
  };
}
