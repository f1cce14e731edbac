import { Duration, type Stack } from 'aws-cdk-lib';
import { preflightHeaders, preflightStatus } from '../../shared/http/cors.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { gatewayResponses } from './gateway-responses.ts';

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
    paths: { ...paths, '/': { options: preflight() }, '/{proxy+}': { options: preflight() } },
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
  const status = String(preflightStatus);
  const headers = Object.entries(preflightHeaders());
  return {
    responses: {
      [status]: {
        description: 'What a page may send.',
        headers: Object.fromEntries(
          [...headers, ['Request-Id', '']].map(([name]) => [name, { schema: { type: 'string' } }]),
        ),
      },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      // A browser sends no body. One that is sent anyway is refused, instead of being read as the status of the response.
      passthroughBehavior: 'never',
      requestTemplates: { 'application/json': JSON.stringify({ statusCode: preflightStatus }) },
      responses: {
        default: {
          statusCode: status,
          responseParameters: {
            ...Object.fromEntries(headers.map(([name, value]) => [`method.response.header.${name}`, `'${value}'`])),
            'method.response.header.Request-Id': 'context.extendedRequestId',
          },
        },
      },
    },
  };
}
