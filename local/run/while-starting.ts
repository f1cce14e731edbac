import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { anyOriginHeaders, preflightHeaders, preflightStatus } from '../../shared/http/cors.ts';
import { rateHeadersWithoutKey } from '../../shared/http/rate-limit-headers.ts';
import { problems } from '../../shared/operations/problems.ts';

/** Responds until the cloud is ready: the template, with the gateway responses of the stack, is not known yet. */
export function respondWhileStarting({ method }: IncomingMessage, response: ServerResponse): void {
  // Without a preflight, a page could not read that the service is starting.
  if (method === 'OPTIONS') {
    response.writeHead(preflightStatus, preflightHeaders()).end();
    return;
  }
  const code = 'dependency_unavailable';
  const { status, type } = problems[code];
  const requestId = randomUUID();
  const message = 'The service is starting. Send the request again.';
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'Retry-After': '1',
      'Request-Id': requestId,
      ...rateHeadersWithoutKey(status),
      ...anyOriginHeaders,
    })
    .end(JSON.stringify({ error: { type, code, message, param: null, request_id: requestId } }));
}
