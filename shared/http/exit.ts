import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { isTableUnavailable } from '../data/failures.ts';
import type { Operation } from '../operations/operation.ts';
import type { Platform } from './platform.ts';
import { errorEnvelope, Problem, problem } from './problem.ts';
import { type Headers, rateHeaders } from './rate-headers.ts';
import { walkOf } from './walk.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Headers;
}

/** The last room: what the desk gave becomes a checked response, what went wrong becomes the error envelope. */
export function exit(operation: Operation, platform: Platform): MiddlewareObj<APIGatewayProxyEvent, unknown> {
  return {
    async after(request) {
      const body = checkedOutput(operation, request.response);
      await Promise.all(walkOf(request.event).errands);
      request.response = respond(platform, request.event, { status: operation.status, body });
    },
    async onError(request) {
      const found = asProblem(request.error);
      await Promise.all(walkOf(request.event).errands);
      request.response = respond(platform, request.event, {
        status: found.status,
        body: errorEnvelope(found, request.event.requestContext.requestId),
        ...(found.retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(found.retryAfterSeconds) } }),
      });
    },
  };
}

/** An answer that breaks its own contract is our fault, never the client's surprise. */
function checkedOutput(operation: Operation, output: unknown): unknown {
  const result = v.safeParse(operation.response, output);
  if (result.success) return result.output;
  throw new v.ValiError(result.issues);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isTableUnavailable(error)) {
    return problem('dependency_unavailable', 'The service is busy. Nothing is wrong with the request: send it again.', {
      retryAfterSeconds: 1,
    });
  }
  return problem('internal_error', 'Something went wrong on our side. Tell us the request id and we will find it.');
}

function respond(platform: Platform, event: APIGatewayProxyEvent, answer: Answer): APIGatewayProxyResult {
  return {
    statusCode: answer.status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Request-Id': event.requestContext.requestId,
      ...rateHeaders(walkOf(event).windows, platform.clock.nowMs()),
      ...answer.headers,
    },
    body: JSON.stringify(answer.body),
  };
}
