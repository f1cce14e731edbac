import { Duration, type Stack } from 'aws-cdk-lib';
import type { Operation } from '../../shared/operations/operation.ts';
import { gatewayResponses } from './gateway-responses.ts';

/** An operation with the function that serves it and the role with which API Gateway invokes it. */
export interface ServedOperation {
  readonly operation: Operation;
  /** The function, or its alias. */
  readonly functionArn: string;
  readonly invokeRoleArn: string;
}

/** The timeout of a streaming function. API Gateway's default of 29 seconds is for buffered responses. */
const streamTimeout = Duration.minutes(5);

type PathItem = Record<string, object>;

/**
 * What API Gateway imports: the routes of all operations and the gateway responses. It has no schemas, because every function
 * validates its own input; the document for clients is docs/openapi.json.
 */
export function apiDefinition(stack: Stack, name: string, served: readonly ServedOperation[]): object {
  const paths: Record<string, PathItem> = {};
  for (const one of served) {
    for (const path of one.operation.paths) {
      paths[path] = { ...paths[path], [one.operation.method.toLowerCase()]: method(stack, one) };
    }
  }
  return {
    openapi: '3.0.1',
    info: { title: name, version: '1' },
    // Routes that belong to no operation are added here.
    paths,
    'x-amazon-apigateway-gateway-responses': gatewayResponses(),
  };
}

function method(stack: Stack, { operation, functionArn, invokeRoleArn }: ServedOperation): object {
  const { streamed } = operation.output;
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
  const path = streamed
    ? `2021-11-15/functions/${functionArn}/response-streaming-invocations`
    : `2015-03-31/functions/${functionArn}/invocations`;
  return {
    operationId: operation.id,
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
