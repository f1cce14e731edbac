import type { APIGatewayProxyEvent } from 'aws-lambda';
import { getHeader } from './headers.ts';
import { type Headers, rateHeadersWithoutKey } from './rate-limit-headers.ts';
import type { RequestContext } from './request-context.ts';

/** Response headers that a page may read, beside those that browsers always show. */
const exposedHeaders = [
  'ETag',
  'Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'Idempotency-Replayed',
].join(', ');

const anyOrigin = '*';

export const preflightStatus = 204;

/** The response to a preflight request: the same for every path, because the token that decides more is not part of it. */
export function preflightHeaders(): Headers {
  return {
    'Access-Control-Allow-Origin': anyOrigin,
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-SSO-Token, X-Basket-Token',
    // Chromium keeps it for two hours at most.
    'Access-Control-Max-Age': '7200',
    // No key was evaluated and nothing is counted, so these are constants.
    ...rateHeadersWithoutKey(preflightStatus),
  };
}

/** For a response that any page may read: it contains no data of an organisation, or its token is bound to no origin. */
export const anyOriginHeaders: Headers = {
  'Access-Control-Allow-Origin': anyOrigin,
  'Access-Control-Expose-Headers': exposedHeaders,
};

/**
 * The CORS headers of a function's response. Where no caller is known, every page may read why. Gate tokens are used by
 * scanner apps of any origin. A secret key is not for browsers, so no page may read a response to it.
 */
export function corsHeaders(event: APIGatewayProxyEvent, { caller }: Pick<RequestContext, 'caller'>): Headers {
  switch (caller?.kind) {
    case 'secret':
      return {};
    case 'storefront':
      return { ...storefrontHeaders(event, caller.storefront?.origin), Vary: 'Origin, Authorization' };
    default:
      return anyOriginHeaders;
  }
}

/** Only the page that sent the request may read the response. If its origin is not allowed, it may read that. */
function storefrontHeaders(event: APIGatewayProxyEvent, allowedOrigin: string | undefined): Headers {
  if (allowedOrigin !== undefined) return { ...anyOriginHeaders, 'Access-Control-Allow-Origin': allowedOrigin };
  return getHeader(event, 'origin') === undefined ? {} : anyOriginHeaders;
}
