import type { KeyMode } from './api-keys.ts';
import { windowRules } from './rate-windows.ts';

/** The limits of a storefront token that the platform team may change. */
export interface StorefrontLimits {
  /** Requests per minute with the token, except those for a basket by its buyer. Approximate. */
  readonly perMinute: number;
  /** Requests per minute from one client address, except those for a basket by its buyer. Exact up to the default. */
  readonly perAddress: number;
  /** The baskets that may be opened from one client address in the lifetime of a basket. Exact up to the default. */
  readonly maxBaskets: number;
  /** The tickets that the baskets of one client address may hold at a time. */
  readonly maxHeld: number;
}

export const defaultStorefrontLimits: StorefrontLimits = {
  perMinute: windowRules.storefront_minute.limit,
  perAddress: windowRules.address_minute.limit,
  maxBaskets: windowRules.address_baskets.limit,
  maxHeld: 40,
};

/**
 * The limits for a sale with so many buyers. 2,500 of them, or a tenth, may share one address of a mobile network, each with two
 * requests in the busiest minute, two tickets and two baskets. All of them together make six requests in that minute.
 */
export function saleLimits(buyers: number): StorefrontLimits {
  const behindOneAddress = Math.max(Math.min(buyers, 2_500), Math.ceil(buyers / 10));
  return {
    perMinute: Math.max(defaultStorefrontLimits.perMinute, 6 * buyers),
    perAddress: Math.max(defaultStorefrontLimits.perAddress, 2 * behindOneAddress),
    maxBaskets: Math.max(defaultStorefrontLimits.maxBaskets, 2 * behindOneAddress),
    maxHeld: Math.max(defaultStorefrontLimits.maxHeld, 2 * behindOneAddress),
  };
}

/** Every take of an address is a transaction on the item that counts its tickets, so a large limit is spread over several. */
const ticketsPerCount = 100;

/** How many items count the tickets of one address, each with its share of the limit. The default limit is one item, and exact. */
export function countsPerAddress(maxHeld: number): { readonly items: number; readonly maxTicketsEach: number } {
  const items = Math.max(1, Math.floor(maxHeld / ticketsPerCount));
  return { items, maxTicketsEach: Math.ceil(maxHeld / items) };
}

export const maxOrigins = 50;

/** Hosts of the developer's own machine. Any page there may use a test token, on any port. */
const anyPortPattern = /^(http:\/\/(?:localhost|127\.0\.0\.1)):\*$/;

/**
 * Returns an origin as browsers send it; undefined if a token of this mode may not allow it. Only a test
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
