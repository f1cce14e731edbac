import type { Operation } from '../operations/operation.ts';
import type { Json } from './components.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };

/** The headers of all responses. Three hundred responses would repeat them, so the document states them once, for readers and for programs. */
export const headersOfEveryResponse: Readonly<Record<string, Json>> = {
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
  'Access-Control-Allow-Origin': {
    description:
      'The pages that may read the response: those of the allowed origin of a storefront token, or of every origin (*) if the caller is not known, its origin is not allowed, or it has a gate token. Absent from a response to an API key.',
    schema: text,
  },
  'Access-Control-Expose-Headers': { description: 'The headers that such a page may read.', schema: text },
  'Cache-Control': {
    description:
      'no-store, except for a catalogue read with a storefront token (private, max-age=10) and for the OpenAPI document (public, max-age=300).',
    schema: text,
  },
  Vary: { description: 'The request headers on which the response depends.', schema: text },
};

/** The headers that only some responses have. */
const someHeaders: Readonly<Record<string, Json>> = {
  ETag: {
    description:
      'Only with a storefront token, and of the OpenAPI document. Identifies the content of the response, for If-None-Match.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait before you retry the request.', schema: integer },
  'Idempotency-Replayed': {
    description:
      'Set to true if the Idempotency-Key was used before. The request was not executed again; this is the first response.',
    schema: text,
  },
};

/** The headers that this response has and others do not: these, and further ones. */
export function headersWith(names: readonly string[], others: Json = {}): Json {
  const references = Object.keys(someHeaders)
    .filter((name) => names.includes(name))
    .map((name) => [name, { $ref: `#/components/headers/${headerId(name)}` }]);
  const headers = { ...Object.fromEntries(references), ...others };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

/** Many responses refer to a header, so the names of the components are short. */
const headerId = (name: string): string => name.replace(/^Idempotency-/, '');

/** The headers as components. */
export const headerComponents: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(someHeaders).map(([name, header]) => [headerId(name), header]),
);

/** The headers of all responses, as a table for readers. */
export function headerTable(): string {
  const rows = Object.entries(headersOfEveryResponse).map(([name, { description }]) => `| ${name} | ${description} |`);
  return ['| Header | Meaning |', '|---|---|', ...rows].join('\n');
}

/** The response to a read whose If-None-Match has the current ETag. */
export const notModified: Json = {
  description: 'The response has not changed since the one with this ETag. There is no body.',
  ...headersWith(['ETag']),
};

/** The headers of all responses of a deprecated operation. */
export const endHeaders: Json = {
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745).', schema: text },
  Sunset: { description: 'When the operation ends (RFC 8594).', schema: text },
};

/** A dry run of a create is a 200, because it creates nothing. */
export function dryRunResponse({ input, output }: Operation, { links: _, ...created }: Json): Json {
  const isCreate = output.status === 201 && 'dry_run' in input.query.entries;
  return isCreate ? { 200: { ...created, description: 'With `dry_run`: what would be created. Nothing was.' } } : {};
}
