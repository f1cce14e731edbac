import type { KeyMode } from './api-keys.ts';
import { windowRules } from './rate-windows.ts';

/** The limits of a storefront token that the platform team may change. */
export interface StorefrontLimits {
  /** Requests per minute with the token, except those for a basket by its buyer. Approximate. */
  readonly perMinute: number;
  /** The tickets that the baskets of one client address may hold at a time. */
  readonly maxHeld: number;
}

export const defaultStorefrontLimits: StorefrontLimits = {
  perMinute: windowRules.storefront_minute.limit,
  maxHeld: 40,
};

export const maxOrigins = 50;

/** Hosts of the developer's own machine. Any page there may use a test token, on any port. */
const anyPortPattern = /^(http:\/\/(?:localhost|127\.0\.0\.1)):\*$/;

/**
 * Returns an origin as browsers send it; undefined if the text is no origin that a token of this mode may allow. Only a test
 * token may be used without TLS, and on every port of the developer's own machine.
 */
export function parseOrigin(text: string, mode: KeyMode): string | undefined {
  if (anyPortPattern.test(text)) return mode === 'test' ? text : undefined;
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, hostname, href } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && mode === 'test')) return undefined;
  // A path, a user name or a query would be ignored silently. Browsers treat a host with a final dot as another one.
  return href === `${origin}/` && !hostname.endsWith('.') && !hostname.includes('*') ? origin : undefined;
}

/** Whether a page of this origin may use a token. Browsers send origins in one form only, so texts are compared as they are. */
export function isOriginAllowed(allowed: readonly string[], origin: string): boolean {
  return allowed.some((one) => {
    const [, host] = anyPortPattern.exec(one) ?? [];
    return host === undefined ? one === origin : origin === host || isPortOf(host, origin);
  });
}

function isPortOf(host: string, origin: string): boolean {
  return origin.startsWith(`${host}:`) && /^\d{1,5}$/.test(origin.slice(host.length + 1));
}
