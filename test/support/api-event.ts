import { readFileSync } from 'node:fs';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** The sample event of API Gateway, with the changes of a test. */
export function apiEvent(changes: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  const sample = readFileSync(new URL('../../events/api-gateway-request.json', import.meta.url), 'utf8');
  return { ...JSON.parse(sample), ...(changes.headers && { multiValueHeaders: inLists(changes.headers) }), ...changes };
}

/** API Gateway sends every header twice: as a value and as a list of values. */
function inLists(headers: APIGatewayProxyEvent['headers']): APIGatewayProxyEvent['multiValueHeaders'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === undefined ? [] : [value]]));
}

export function lambdaContext(remainingMs = 10_000): Context {
  return {
    awsRequestId: 'test',
    callbackWaitsForEmptyEventLoop: true,
    functionName: 'test',
    functionVersion: '1',
    invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:test',
    logGroupName: 'test',
    logStreamName: 'test',
    memoryLimitInMB: '512',
    getRemainingTimeInMillis: () => remainingMs,
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
