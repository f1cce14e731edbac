import { expect } from 'vitest';
import type { Answer } from '../support/service.ts';

/** What every response carries. */
export function expectHeaders({ headers }: Answer): void {
  expect(headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(headers.get('Request-Id')).toMatch(/^\S{10,}$/);
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining']) expect(headers.get(name), name).toMatch(/^\d+$/);
  for (const name of ['RateLimit-Policy', 'RateLimit']) {
    expect(headers.get(name), name).toMatch(/^"key-minute";.+, "key-day";.+, "organisation-day";.+$/);
  }
}

/** What a caller without a valid key is told of limits. */
export function expectStranger(answer: Answer): void {
  expect(answer.headers.get('X-RateLimit-Limit')).toBe('300');
  expect(answer.headers.get('X-RateLimit-Remaining')).toBe('0');
}
