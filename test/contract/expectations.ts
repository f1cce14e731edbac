import { expect } from 'vitest';
import type { ServiceResponse } from '../support/service.ts';

/** Those of an API key, which an unknown caller gets too, or those of a storefront token. */
const limitsOfCaller =
  /^("key-minute";.+, "key-day";.+, "organisation-day";.+|"address-minute";.+|"basket-minute";[^,]+)$/;

/** Checks the headers that every response has. */
export function expectHeaders({ headers }: ServiceResponse, mediaType = 'application/json'): void {
  expect(headers.get('Content-Type')).toMatch(new RegExp(`^${mediaType}(;|$)`));
  expect(headers.get('Request-Id')).toMatch(/^\S{10,}$/);
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining']) expect(headers.get(name), name).toMatch(/^\d+$/);
  for (const name of ['RateLimit-Policy', 'RateLimit']) {
    expect(headers.get(name), name).toMatch(limitsOfCaller);
  }
}

/** Checks the rate limit headers of a caller without a valid key: nothing remains for a 401, everything where no key was evaluated. */
export function expectAnonymousLimits(response: ServiceResponse): void {
  expect(response.headers.get('X-RateLimit-Limit')).toBe('300');
  expect(response.headers.get('X-RateLimit-Remaining')).toBe(response.status === 401 ? '0' : '300');
}

/** Checks which pages may read a response: those of every origin (*), of one origin, or none (null). */
export function expectReadable({ headers }: ServiceResponse, origin: string | null): void {
  expect(headers.get('Access-Control-Allow-Origin')).toBe(origin);
  expect(headers.get('Access-Control-Expose-Headers')).toBe(
    origin &&
      'ETag, Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, Idempotency-Replayed',
  );
}
