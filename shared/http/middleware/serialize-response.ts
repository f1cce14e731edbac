import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import type { Operation } from '../../operations/operation.ts';
import { asProblem } from '../as-problem.ts';
import { headerOf, requestIdOf } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { errorEnvelope } from '../problem.ts';
import { type Headers, rateHeaders } from '../rate-limit-headers.ts';
import { requestContextOf } from '../request-context.ts';
import { acceptsGzip, StreamedOutput } from '../streamed-output.ts';

interface Answer<Body> {
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
          ? stream(platform, event, { status: operation.output.status, body: response })
          : respond(platform, event, { status: operation.output.status, body: outputOf(operation, event, response) });
    },
    async onError(request) {
      const found = asProblem(request.error);
      await finishBackgroundTasks(request.event);
      request.response = respond(platform, request.event, {
        status: found.status,
        body: errorEnvelope(found, requestIdOf(request.event)),
        ...(found.retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(found.retryAfterSeconds) } }),
      });
    },
  };
}

/** Errands are worth a moment of the caller's time, and no more. */
const backgroundMs = 500;

function finishBackgroundTasks(event: APIGatewayProxyEvent): Promise<unknown> {
  const { backgroundTasks } = requestContextOf(event);
  return backgroundTasks.length === 0
    ? Promise.resolve()
    : Promise.race([Promise.all(backgroundTasks), sleep(backgroundMs, undefined, { ref: false })]);
}

/**
 * An answer that breaks its own contract is our fault, never the client's surprise. One that is given again was checked when
 * it was first given, by the contract of that day.
 */
function outputOf(operation: Operation, event: APIGatewayProxyEvent, output: unknown): unknown {
  if (requestContextOf(event).isRepeat) return output;
  const result = v.safeParse(operation.output.storedSchema ?? operation.output.schema, output);
  if (result.success) return result.output;
  throw new v.ValiError(result.issues);
}

function respond(platform: Platform, event: APIGatewayProxyEvent, answer: Answer<unknown>): APIGatewayProxyResult {
  return { ...head(platform, event, answer), body: JSON.stringify(answer.body) };
}

/** The items of a streamed answer are checked one by one as they are written (streamedList). */
function stream(platform: Platform, event: APIGatewayProxyEvent, answer: Answer<StreamedOutput>): StreamedResult {
  const compressed = acceptsGzip(headerOf(event, 'accept-encoding'));
  const headers = { Vary: 'Accept-Encoding', ...(compressed && { 'Content-Encoding': 'gzip' }) };
  return { ...head(platform, event, { ...answer, headers }), body: answer.body.toStream(compressed) };
}

function head(platform: Platform, event: APIGatewayProxyEvent, answer: Answer<unknown>) {
  return {
    statusCode: answer.status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Request-Id': requestIdOf(event),
      ...rateHeaders(requestContextOf(event).windows, platform.clock.nowMs()),
      ...(requestContextOf(event).isRepeat && { 'Idempotency-Replayed': 'true' }),
      ...answer.headers,
    },
  };
}
