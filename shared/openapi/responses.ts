import { problemCodes, problems } from '../operations/problems.ts';
import type { Json } from './components.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };

/** The headers of every response; Retry-After only where waiting helps, Idempotency-Replayed only where a key may be sent. */
export const responseHeaders: Readonly<Record<string, Json>> = {
  'Request-Id': { description: 'Names this request in our log.', schema: text },
  'X-RateLimit-Limit': { description: 'Requests allowed in the window that will refuse first.', schema: integer },
  'X-RateLimit-Remaining': {
    description: 'Requests left in that window; 0 where no valid key was sent.',
    schema: integer,
  },
  'RateLimit-Policy': { description: 'All windows: q requests in w seconds.', schema: text },
  RateLimit: { description: 'All windows: r requests left, t seconds until the window starts anew.', schema: text },
  'Retry-After': { description: 'Whole seconds after which the same request is admitted.', schema: integer },
  'Idempotency-Replayed': {
    description: 'true where the Idempotency-Key of a POST was known: nothing was done, this is the first answer.',
    schema: text,
  },
};

const statusesToRetry = new Set<number>([409, 429, 503]);

/** Refusals that are kept for an Idempotency-Key (shared/http/middleware/idempotency.ts); the others come before it counts, or may pass. */
const statusesKept = new Set<number>([400, 402, 403, 404]);

/** One response per status, each naming the codes that come with it. */
export function errorResponses(statuses: ReadonlySet<number>): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: problemCodes
          .filter((code) => problems[code].status === status)
          .map((code) => `\`${code}\`: ${problems[code].meaning}`)
          .join('\n\n'),
        headers: headersWith(
          ...(statusesToRetry.has(status) ? ['Retry-After'] : []),
          ...(statusesKept.has(status) ? ['Idempotency-Replayed'] : []),
        ),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const onSome = new Set(['Retry-After', 'Idempotency-Replayed']);

/** References to the headers that are always there, and to those of the others that are named. */
export function headersWith(...others: readonly string[]): Json {
  const names = Object.keys(responseHeaders).filter((name) => !onSome.has(name) || others.includes(name));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
