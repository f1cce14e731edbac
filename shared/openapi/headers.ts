import type { Json } from './components.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };

/** The headers of all responses. Retry-After and Idempotency-Replayed are only on some of them. */
export const responseHeaders: Readonly<Record<string, Json>> = {
  'Request-Id': { description: 'Identifies the request in the logs of the service.', schema: text },
  'X-RateLimit-Limit': { description: 'The limit of the window with the fewest requests left.', schema: integer },
  'X-RateLimit-Remaining': {
    description:
      'Requests left in that window. If the request was not authenticated: 0 with status 401 or 429, otherwise the whole limit.',
    schema: integer,
  },
  'RateLimit-Policy': {
    description: 'All windows, each with its limit (q) and its length in seconds (w).',
    schema: text,
  },
  RateLimit: {
    description: 'All windows, each with its requests left (r) and the seconds until it resets (t).',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait before you retry the request.', schema: integer },
  'Idempotency-Replayed': {
    description:
      'Set to true if the Idempotency-Key was used before. The request was not executed again; this is the first response.',
    schema: text,
  },
};

const onSome = new Set(['Retry-After', 'Idempotency-Replayed']);

/** References to the headers of every response, and to the given others. */
export function headersWith(...others: readonly string[]): Json {
  const names = Object.keys(responseHeaders).filter((name) => !onSome.has(name) || others.includes(name));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
