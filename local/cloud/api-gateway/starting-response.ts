import { anyOriginHeaders } from '../../../shared/http/cors.ts';
import { rateHeadersWithoutKey } from '../../../shared/http/rate-limit-headers.ts';
import { problems } from '../../../shared/operations/problems.ts';
import type { RenderedResponse } from './gateway-responses.ts';

/** The response until the cloud is ready: the template, with the gateway responses of the stack, is not known yet. */
export function startingResponse(requestId: string): RenderedResponse {
  const code = 'dependency_unavailable';
  const { status, type } = problems[code];
  const message = 'The service is starting. Send the request again.';
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'Retry-After': '1',
      'Request-Id': requestId,
      ...rateHeadersWithoutKey(status),
      ...anyOriginHeaders,
    },
    body: JSON.stringify({ error: { type, code, message, param: null, request_id: requestId } }),
  };
}
