import {
  secondsUntilReset,
  tightestWindow,
  type WindowState,
  windowNames,
  windowRules,
} from '../domain/auth/rate-windows.ts';

export type Headers = Record<string, string>;

const quoteName = (name: string): string => `"${name.replace('_', '-')}"`;

/** The limits without the current counts (draft-ietf-httpapi-ratelimit-headers). */
const formatPolicy = (windows: readonly Pick<WindowState, 'name' | 'limit'>[]): string =>
  windows.map(({ name, limit }) => `${quoteName(name)};q=${limit};w=${windowRules[name].seconds}`).join(', ');

/**
 * For a response to a request whose key was not evaluated. Such a request consumes nothing, so the whole limit remains: for an
 * unknown path, a public operation, or a request that fails before authentication. 401 and 429 say that nothing remains.
 */
export function rateHeadersWithoutKey(status: number): Headers {
  const isRefused = status === 401 || status === 429;
  const remaining = (name: (typeof windowNames)[number]): number => (isRefused ? 0 : windowRules[name].limit);
  return {
    'X-RateLimit-Limit': String(windowRules.key_minute.limit),
    'X-RateLimit-Remaining': String(remaining('key_minute')),
    'RateLimit-Policy': formatPolicy(windowNames.map((name) => ({ name, limit: windowRules[name].limit }))),
    RateLimit: windowNames.map((name) => `${quoteName(name)};r=${remaining(name)}`).join(', '),
  };
}

/** The two X- headers describe the window that will be exhausted first; the two others describe all windows. */
export function rateHeaders(windows: readonly WindowState[], status: number, nowMs: number): Headers {
  const tightest = tightestWindow(windows);
  if (tightest === undefined) return rateHeadersWithoutKey(status);
  return {
    'X-RateLimit-Limit': String(tightest.limit),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'RateLimit-Policy': formatPolicy(windows),
    RateLimit: windows
      .map((state) => `${quoteName(state.name)};r=${state.remaining};t=${secondsUntilReset(state, nowMs)}`)
      .join(', '),
  };
}
