import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { reasonOf } from '../platform/failure-reason.ts';
import { countOutcome, log } from '../platform/log.ts';
import { isWarmCall } from '../platform/warm-call.ts';

/** A request to a route that is not an operation of the API. */
export interface RouteRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The header with this lower-case name. */
  header(name: string): string | undefined;
  /** The exact bytes, because a signature covers them. */
  readonly body: string;
}

export interface RouteResponse<Body = string> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Larger than anything that a page or a payment provider sends. */
const maxBodyBytes = 262_144;

export function plainText(status: number, body: string): RouteResponse {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body };
}

/** Handles requests to a route. Each is one log entry, without path and query, which may contain a secret. */
export function routeWorker(handle: (request: RouteRequest) => Promise<RouteResponse>) {
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    if (isWarmCall(event)) return { statusCode: 204, body: '' };
    const { status, headers, body } = await respond(event, context, handle);
    return { statusCode: status, headers: { ...headers }, body };
  };
}

/** Handles one request, and writes its log entry. */
export async function respond<Body>(
  event: APIGatewayProxyEvent,
  context: Context,
  handle: (request: RouteRequest) => Promise<RouteResponse<Body>>,
): Promise<RouteResponse<Body | string>> {
  log.addContext(context);
  const response = await responseOf(event, handle);
  const { status } = response;
  const { extendedRequestId, requestId } = event.requestContext;
  log.info('route', { route: event.resource, method: event.httpMethod, status });
  if (status >= 400) countOutcome(context.functionName, status >= 500 ? 'Failed' : 'Refused');
  return { ...response, headers: { ...response.headers, 'Request-Id': extendedRequestId ?? requestId } };
}

async function responseOf<Body>(
  event: APIGatewayProxyEvent,
  handle: (request: RouteRequest) => Promise<RouteResponse<Body>>,
): Promise<RouteResponse<Body | string>> {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > maxBodyBytes) return plainText(413, 'The body is too large.');
  const headers = Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  try {
    return await handle({
      method: event.httpMethod,
      params: event.pathParameters ?? {},
      query: event.queryStringParameters ?? {},
      header: (name) => headers.find(([known]) => known === name)?.[1],
      body: body.toString('utf8'),
    });
  } catch (error) {
    log.error('route failed', { route: event.resource, ...reasonOf(error) });
    return plainText(500, 'The service failed.');
  }
}
