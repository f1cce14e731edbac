import { problemCodes, problems, repeatAdvice } from '../operations/problems.ts';
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

const statusesToRetry = new Set<number>([409, 429, 503]);

/** The error responses that are stored for an Idempotency-Key (shared/http/middleware/idempotency.ts). The others precede that check or can be retried. */
const statusesKept = new Set<number>([400, 402, 403, 404]);

/** One response per status, with the error codes of that status. */
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

/**
 * The statuses of API Gateway itself, when a function fails or does not respond. Clients get them for any operation, and whether
 * the request took effect is unknown.
 */
const gatewayFailures = {
  502: 'API Gateway: the function failed or returned no valid response.',
  504: 'API Gateway: the function did not respond in time.',
} as const;
export const gatewayStatuses: readonly string[] = Object.keys(gatewayFailures);

export function gatewayResponses(): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(gatewayFailures).map(([status, meaning]) => [
      status,
      {
        description: `${meaning} ${repeatAdvice}`,
        headers: headersWith(),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const onSome = new Set(['Retry-After', 'Idempotency-Replayed']);

/** References to the headers of every response, and to the given others. */
export function headersWith(...others: readonly string[]): Json {
  const names = Object.keys(responseHeaders).filter((name) => !onSome.has(name) || others.includes(name));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
