import {
  secondsUntilReset,
  tightestWindow,
  type WindowState,
  windowNames,
  windowRules,
} from '../domain/auth/rate-windows.ts';

export type Headers = Record<string, string>;

const headerName = (name: string): string => `"${name.replace('_', '-')}"`;

/** The limits without the current counts: the same for every caller of a kind (draft-ietf-httpapi-ratelimit-headers). */
const policyOf = (names: readonly WindowState['name'][]): string =>
  names.map((name) => `${headerName(name)};q=${windowRules[name].limit};w=${windowRules[name].seconds}`).join(', ');

/** For a response to an unauthenticated caller: without a valid key nothing remains to be used. */
export const anonymousRateHeaders: Headers = {
  'X-RateLimit-Limit': String(windowRules.key_minute.limit),
  'X-RateLimit-Remaining': '0',
  'RateLimit-Policy': policyOf(windowNames),
  RateLimit: windowNames.map((name) => `${headerName(name)};r=0`).join(', '),
};

/** The two X- headers describe the window that will be exhausted first; the two others describe all windows. */
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
