import type { IncomingMessage } from 'node:http';
import { localAccountId } from '../template/assembly.ts';
import type { Match } from './router.ts';
import type { RestApi, Route } from './routes.ts';

export interface ProxyEventInput {
  request: IncomingMessage;
  requestId: string;
  body: Buffer;
  api: RestApi;
  match: Match<Route>;
  nowMs: number;
}

/** Headers that concern the connection to API Gateway and never reach a function. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'upgrade',
  'expect',
  'proxy-connection',
]);

/** Headers that API Gateway sets, whatever the client sent, in any case. */
const ownHeaders = new Set(['x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto']);

/** The event of a Lambda proxy integration of a REST API. */
export function proxyEvent(input: ProxyEventInput): Record<string, unknown> {
  const { request, requestId, body, api, match, nowMs } = input;
  const { path, query } = splitTarget(request.url ?? '/');
  const multiValueHeaders = headersOf(request);
  const multiValueQuery = queryOf(query);
  const isBase64Encoded = body.length > 0 && isBinary(request.headers['content-type'], api.binaryMediaTypes);
  const httpMethod = request.method ?? 'GET';
  return {
    resource: match.route.resourcePath,
    path,
    httpMethod,
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: multiValueQuery && lastValues(multiValueQuery),
    multiValueQueryStringParameters: multiValueQuery,
    pathParameters: Object.keys(match.pathParameters).length === 0 ? null : match.pathParameters,
    stageVariables: null,
    requestContext: {
      accountId: localAccountId,
      apiId: api.id,
      domainName: calledHost(request),
      extendedRequestId: requestId,
      httpMethod,
      identity: identityOf(request),
      // Like behind a custom domain, the stage is not part of the path.
      path,
      protocol: `HTTP/${request.httpVersion}`,
      requestId,
      requestTime: requestTime(new Date(nowMs)),
      requestTimeEpoch: nowMs,
      resourceId: match.route.resourceId,
      resourcePath: match.route.resourcePath,
      stage: api.stageName,
    },
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
}

/** The path as it was sent, not decoded. */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** API Gateway rejects an unknown host name. Here, any valid host name is accepted. */
function calledHost({ headers: { host = '' } }: IncomingMessage): string {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) ? host : '127.0.0.1';
}

/** Header names keep their case, so code that relies on another case fails here as on AWS. */
function headersOf(request: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null);
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (connectionHeaders.has(name.toLowerCase()) || ownHeaders.has(name.toLowerCase())) continue;
    headers[name] = [...(headers[name] ?? []), request.rawHeaders[index + 1] ?? ''];
  }
  const forwardedFor = [request.headers['x-forwarded-for'] ?? []].flat();
  headers['X-Forwarded-For'] = [[...forwardedFor, sourceIp(request)].join(', ')];
  headers['X-Forwarded-Port'] = [String(request.socket.localPort ?? '')];
  headers['X-Forwarded-Proto'] = ['http'];
  return headers;
}

function queryOf(query: string): Record<string, string[]> | null {
  if (query === '') return null;
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) values[name] = [...(values[name] ?? []), value];
  return values;
}

function lastValues(values: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));
}

export function isBinary(contentType: string | undefined, binaryMediaTypes: readonly string[]): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return binaryMediaTypes.some((binary) => {
    const [main, sub] = binary.toLowerCase().split('/');
    return binary === '*/*' || binary.toLowerCase() === type || (sub === '*' && type.startsWith(`${main}/`));
  });
}

function sourceIp(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? '127.0.0.1';
}

function identityOf(request: IncomingMessage): Record<string, string | null> {
  return {
    accessKey: null,
    accountId: null,
    caller: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp: sourceIp(request),
    user: null,
    userAgent: request.headers['user-agent'] ?? null,
    userArn: null,
  };
}

/** `09/Apr/2026:12:34:56 +0000` */
function requestTime(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().match(/^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
