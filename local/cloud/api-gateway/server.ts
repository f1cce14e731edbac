import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { readBody } from '../http/read-body.ts';
import type { FunctionDefinition } from '../lambda/function-definition.ts';
import { type Invoker, RequestTooLargeError } from '../lambda/invoker.ts';
import { compressed } from './compression.ts';
import type { GatewayResponses, GatewayResponseType, RenderedResponse } from './gateway-responses.ts';
import { hasTemplate } from './mock-integration.ts';
import { proxyEvent, splitTarget } from './proxy-event.ts';
import { bodyBytes, readResponse, writeHead } from './proxy-response.ts';
import { createRouter, type Match } from './router.ts';
import type { MockRoute, RestApi, Route } from './routes.ts';
import { StreamedResponse } from './streamed-response.ts';
import { createThrottle, tokenBucket } from './throttle.ts';

export interface ApiOptions {
  api: RestApi;
  gatewayResponses: GatewayResponses;
  invoker: Invoker;
  now(): number;
  /** See `ThrottleOptions`. */
  longestWaitMs?: number | undefined;
}

export type ApiHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** API Gateway's limit for a request body. */
const bodyLimitBytes = 10 * 1024 * 1024;

/** Longer than any client keeps an idle connection, so the server never closes one during a request. */
const idleConnectionMs = 65_000;

const notReady: ApiHandler = (_request, response) => void response.writeHead(503, { 'Retry-After': '1' }).end();

/** Binds the port before the cloud is ready, so a port in use is reported immediately. */
export function createApiServer(whileStarting = notReady): {
  server: Server;
  serve(handler: ApiHandler, responses: GatewayResponses): void;
} {
  let handler = whileStarting;
  let reject = (status: number): RenderedResponse => ({ status, headers: {}, body: '' });
  const server = createServer({ keepAliveTimeout: idleConnectionMs }, (request, response) =>
    handler(request, response),
  );
  // Node's parser refuses a request that is not HTTP, or whose headers are too long, without a response object.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(asText(reject(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400)));
  });
  return {
    server,
    serve: (next, gatewayResponses) => {
      handler = next;
      reject = (status) => ({ ...gatewayResponses('DEFAULT_4XX', randomUUID()), status });
    },
  };
}

function writeRendered(response: ServerResponse, { status, headers, body }: RenderedResponse, more = {}): void {
  response.writeHead(status, { ...headers, ...more, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function asText({ status, headers, body }: RenderedResponse): string {
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** One request and its response. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
}

export function createApiHandler(options: ApiOptions): ApiHandler {
  const { api, gatewayResponses, invoker, now, longestWaitMs } = options;
  const route = createRouter<Route | MockRoute>([...api.routes, ...api.mockRoutes]);
  const waitingMs = (definition: FunctionDefinition) => invoker.waitingMs(definition);
  const throttle = createThrottle({ stage: api.throttle, longestWaitMs, waitingMs });
  const takers = new Map(
    api.routes.flatMap((one) => (one.throttle === undefined ? [] : [[one, tokenBucket(one.throttle)] as const])),
  );

  async function handle(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const match = route(request.method ?? 'GET', splitTarget(request.url ?? '/').path);
    if (match === undefined) return sendGatewayResponse(exchange, 'MISSING_AUTHENTICATION_TOKEN');
    const { route: matched, pathParameters } = match;
    if ('mock' in matched) return respondMock(exchange, { route: matched, pathParameters });
    const isAdmitted = takers.get(matched)?.() !== false && throttle.admits(matched.definition);
    if (!isAdmitted) return sendGatewayResponse(exchange, 'THROTTLED');
    return invoke(exchange, { route: matched, pathParameters });
  }

  async function invoke(exchange: Exchange, match: Match<Route>): Promise<void> {
    const { request, requestId } = exchange;
    const declaredBytes = Number(request.headers['content-length'] ?? 0);
    const body = declaredBytes > bodyLimitBytes ? undefined : await readBody(request, bodyLimitBytes);
    if (body === undefined) return sendGatewayResponse(exchange, 'REQUEST_TOO_LARGE');
    const event = proxyEvent({ request, requestId, body, api, match, nowMs: now() });
    const respond = match.route.streamed ? respondStreamed : respondBuffered;
    return respond(exchange, match.route, event);
  }

  function respondMock(exchange: Exchange, { route: { mock }, pathParameters }: Match<MockRoute>): void {
    const { request, response, requestId } = exchange;
    if (!throttle.admits(undefined)) sendGatewayResponse(exchange, 'THROTTLED');
    else if (hasTemplate(mock, request.headers['content-type'])) {
      const ids = Object.fromEntries(['x-amzn-RequestId', ...mock.requestIdHeaders].map((name) => [name, requestId]));
      const headers = { ...mock.headers, ...ids };
      if (mock.body === undefined) response.writeHead(mock.status, headers).end();
      else writeRendered(response, { status: mock.status, headers, body: mock.body({ requestId, pathParameters }) });
    } else sendGatewayResponse(exchange, 'UNSUPPORTED_MEDIA_TYPE');
  }

  function sendGatewayResponse({ response, requestId }: Exchange, type: GatewayResponseType): void {
    if (response.headersSent) return;
    const own = { 'x-amzn-RequestId': requestId, 'x-amzn-ErrorType': type };
    writeRendered(response, gatewayResponses(type, requestId), own);
  }

  async function respondBuffered(exchange: Exchange, route: Route, event: unknown): Promise<void> {
    const { request, response, requestId } = exchange;
    const limit = timeLimit(route, () => sendGatewayResponse(exchange, 'INTEGRATION_TIMEOUT'));
    const outcome = await invoker.invoke(route.definition, event, limit).finally(limit.end);
    if (response.headersSent) return;
    const result = outcome.kind === 'result' ? readResponse(outcome.payload) : undefined;
    if (result === undefined) return sendGatewayResponse(exchange, 'DEFAULT_5XX');
    writeHead(response, result, requestId);
    const plain = bodyBytes(result, request.headers.accept, api.binaryMediaTypes);
    const bytes = compressed(plain, exchange, api.minimumCompressionBytes);
    if (![204, 304].includes(result.statusCode)) response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  }

  async function respondStreamed(exchange: Exchange, route: Route, event: unknown): Promise<void> {
    const { response, requestId } = exchange;
    const stream = new StreamedResponse({ response, onHead: (head) => writeHead(response, head, requestId) });
    let broken = false;
    const fail = (type: GatewayResponseType) => {
      broken = true;
      // A normal end or close could make a truncated response look complete. A reset cannot.
      if (stream.started) response.socket?.resetAndDestroy();
      else sendGatewayResponse(exchange, type);
    };
    const limit = timeLimit(route, () => fail('INTEGRATION_TIMEOUT'));
    const onChunk = async (bytes: Uint8Array) => {
      if (!broken) await stream.write(bytes).catch(() => fail('DEFAULT_5XX'));
    };
    const outcome = await invoker.invoke(route.definition, event, { ...limit, onChunk }).finally(limit.end);
    if (broken) return;
    if (outcome.kind === 'streamed' && stream.started) response.end();
    else fail('DEFAULT_5XX');
  }

  return (request, response) => {
    const exchange = { request, response, requestId: randomUUID() };
    // The time of the cloud, which may not be that of the machine: clients learn it from here.
    response.setHeader('Date', new Date(now()).toUTCString());
    // A client that disconnects breaks the response. No one is left to receive an error.
    response.on('error', () => {});
    handle(exchange).catch((error: unknown) => {
      sendGatewayResponse(exchange, error instanceof RequestTooLargeError ? 'REQUEST_TOO_LARGE' : 'DEFAULT_5XX');
    });
  };
}

/** Starts when an instance takes the request, because on AWS requests do not wait for an instance. */
function timeLimit({ timeoutMs }: Route, onTimeout: () => void): { onStart(): void; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    onStart: () => {
      timer = setTimeout(onTimeout, timeoutMs);
    },
    end: () => clearTimeout(timer),
  };
}
