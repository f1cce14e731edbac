import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import type { Operation } from '../../operations/operation.ts';
import { getHeader, getRequestId } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { errorEnvelope } from '../problem.ts';
import { type Headers, rateHeaders } from '../rate-limit-headers.ts';
import { getRequestContext } from '../request-context.ts';
import { acceptsGzip, StreamedOutput } from '../streamed-output.ts';
import { toProblem } from '../to-problem.ts';

interface ResponseParts<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers?: Headers;
}

/** What middy passes on to a streaming function's caller. */
export interface StreamedResult {
  readonly statusCode: number;
  readonly headers: Headers;
  readonly body: Readable;
}

/** The last room: what the desk gave becomes a checked response, what went wrong becomes the error envelope. */
export function serializeResponse(
  operation: Operation,
  platform: Platform,
): MiddlewareObj<APIGatewayProxyEvent, unknown> {
  return {
    async after(request) {
      const { event, response } = request;
      await finishBackgroundTasks(event);
      request.response =
        response instanceof StreamedOutput
          ? streamedResponse(platform, event, { status: operation.output.status, body: response })
          : bufferedResponse(platform, event, {
              status: operation.output.status,
              body: validateOutput(operation, event, response),
            });
    },
    async onError(request) {
      const problem = toProblem(request.error);
      await finishBackgroundTasks(request.event);
      request.response = bufferedResponse(platform, request.event, {
        status: problem.status,
        body: errorEnvelope(problem, getRequestId(request.event)),
        ...(problem.retryAfterSeconds !== undefined && {
          headers: { 'Retry-After': String(problem.retryAfterSeconds) },
        }),
      });
    },
  };
}

/** Errands are worth a moment of the caller's time, and no more. */
const maxBackgroundMs = 500;

function finishBackgroundTasks(event: APIGatewayProxyEvent): Promise<unknown> {
  const { backgroundTasks } = getRequestContext(event);
  return backgroundTasks.length === 0
    ? Promise.resolve()
    : Promise.race([Promise.all(backgroundTasks), sleep(maxBackgroundMs, undefined, { ref: false })]);
}

/**
 * An answer that breaks its own contract is our fault, never the client's surprise. One that is given again was checked when
 * it was first given, by the contract of that day.
 */
function validateOutput(operation: Operation, event: APIGatewayProxyEvent, output: unknown): unknown {
  if (getRequestContext(event).isReplayed) return output;
  const result = v.safeParse(operation.output.storedSchema ?? operation.output.schema, output);
  if (result.success) return result.output;
  throw new v.ValiError(result.issues);
}

function bufferedResponse(
  platform: Platform,
  event: APIGatewayProxyEvent,
  answer: ResponseParts<unknown>,
): APIGatewayProxyResult {
  return { ...statusAndHeaders(platform, event, answer), body: JSON.stringify(answer.body) };
}

/** The items of a streamed answer are checked one by one as they are written (streamedList). */
function streamedResponse(
  platform: Platform,
  event: APIGatewayProxyEvent,
  answer: ResponseParts<StreamedOutput>,
): StreamedResult {
  const compressed = acceptsGzip(getHeader(event, 'accept-encoding'));
  const headers = { Vary: 'Accept-Encoding', ...(compressed && { 'Content-Encoding': 'gzip' }) };
  return { ...statusAndHeaders(platform, event, { ...answer, headers }), body: answer.body.toStream(compressed) };
}

function statusAndHeaders(platform: Platform, event: APIGatewayProxyEvent, answer: ResponseParts<unknown>) {
  return {
    statusCode: answer.status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Request-Id': getRequestId(event),
      ...rateHeaders(getRequestContext(event).windows, platform.clock.nowMs()),
      ...(getRequestContext(event).isReplayed && { 'Idempotency-Replayed': 'true' }),
      ...answer.headers,
    },
  };
}
