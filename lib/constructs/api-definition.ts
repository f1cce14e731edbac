import { Duration, type Stack } from 'aws-cdk-lib';
import { preflightHeaders, preflightStatus } from '../../shared/http/cors.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { problems } from '../../shared/operations/problems.ts';
import { gatewayResponses, headersWithoutFunction } from './gateway-responses.ts';
import { unknownRouteTemplate } from './unknown-route.ts';

/** A route with the function that serves it and the role with which API Gateway invokes it. */
export interface ServedRoute {
  readonly method: Operation['method'];
  readonly path: string;
  readonly streamed: boolean;
  /** The most requests a second; undefined for the limit of the stage alone. */
  readonly requestsPerSecond?: number | undefined;
  /** The function, or its alias. */
  readonly functionArn: string;
  readonly invokeRoleArn: string;
}

/** The timeout of a streaming function. API Gateway's default of 29 seconds is for buffered responses. */
const streamTimeout = Duration.minutes(5);

type PathItem = Record<string, object>;

/**
 * What API Gateway imports: the routes of all operations and workers, and the gateway responses. It has no schemas, because every function
 * validates its own input; the document for clients is docs/openapi.json.
 */
export function apiDefinition(stack: Stack, name: string, routes: readonly ServedRoute[]): object {
  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: method(stack, route) };
  }
  return {
    openapi: '3.0.1',
    info: { title: name, version: '1' },
    // The root is not part of the catch-all path.
    paths: {
      ...paths,
      '/': { options: preflight() },
      '/{proxy+}': { options: preflight(), 'x-amazon-apigateway-any-method': unknownRoute(routes) },
    },
    'x-amazon-apigateway-gateway-responses': gatewayResponses(),
  };
}

/** Without an operationId, which must be unique: an operation has one method on each of its paths. */
function method(stack: Stack, { streamed, functionArn, invokeRoleArn }: ServedRoute): object {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
  const path = streamed
    ? `2021-11-15/functions/${functionArn}/response-streaming-invocations`
    : `2015-03-31/functions/${functionArn}/invocations`;
  return {
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: `arn:${stack.partition}:apigateway:${stack.region}:lambda:path/${path}`,
      credentials: invokeRoleArn,
      ...(streamed && { responseTransferMode: 'STREAM', timeoutInMillis: streamTimeout.toMilliseconds() }),
    },
  };
}

/**
 * Preflight requests are answered without a function. API Gateway looks for the most specific path that has the method, so the
 * catch-all path receives the OPTIONS requests of every path (ADR 0035).
 */
function preflight(): object {
  return answer({ status: preflightStatus, headers: preflightHeaders(), contentTypes: ['application/json'] });
}

/** For the same reason the catch-all path receives the requests with a method that their path does not have (ADR 0009). */
function unknownRoute(routes: readonly ServedRoute[]): object {
  const { status } = problems.route_not_found;
  return {
    parameters: [{ name: 'proxy', in: 'path', required: true, schema: { type: 'string' } }],
    ...answer({
      status,
      headers: headersWithoutFunction(status),
      contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
      template: unknownRouteTemplate(routes),
    }),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A request without a type counts as JSON. Any other is refused, instead of being read as the status of the response. */
  readonly contentTypes: readonly string[];
  readonly template?: string;
}

/** A method that API Gateway answers itself. */
function answer({ status, headers, contentTypes, template }: Answer): object {
  const fixed = Object.entries(headers);
  return {
    responses: {
      [status]: {
        description: 'An answer without a function.',
        headers: Object.fromEntries(
          [...fixed, ['Request-Id', '']].map(([name]) => [name, { schema: { type: 'string' } }]),
        ),
      },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      passthroughBehavior: 'never',
      requestTemplates: Object.fromEntries(contentTypes.map((type) => [type, JSON.stringify({ statusCode: status })])),
      responses: {
        default: {
          statusCode: String(status),
          responseParameters: {
            ...Object.fromEntries(fixed.map(([name, value]) => [`method.response.header.${name}`, `'${value}'`])),
            'method.response.header.Request-Id': 'context.extendedRequestId',
          },
          ...(template !== undefined && { responseTemplates: { 'application/json': template } }),
        },
      },
    },
  };
}
