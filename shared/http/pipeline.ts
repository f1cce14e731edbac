import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as v from 'valibot';
import { abortable, type Table } from '../data/table/table.ts';
import { isKeyWindow, type WindowName, type WindowState } from '../domain/auth/rate-windows.ts';
import type { Auth, Operation } from '../operations/operation.ts';
import { type Clock, unixSeconds } from '../platform/clock.ts';
import { getBaseUrl, getHeader, getSsoToken } from './headers.ts';
import { authenticate } from './middleware/authenticate.ts';
import { type Receipt, withIdempotency } from './middleware/idempotency.ts';
import { logRequest } from './middleware/log-request.ts';
import { parseInput } from './middleware/parse-input.ts';
import { serializeResponse } from './middleware/serialize-response.ts';
import { livePlatform, type Platform } from './platform.ts';
import { type Caller, getRequestContext } from './request-context.ts';
import { acceptsGzip, type StreamedOutput } from './streamed-output.ts';

export interface Input<O extends Operation> {
  readonly params: v.InferOutput<O['input']['params']>;
  readonly query: v.InferOutput<O['input']['query']>;
  readonly body: v.InferOutput<O['input']['body']>;
}

export interface Deps<OwnAuth extends Auth = Auth> {
  /** Who asks: known unless the operation is open to anyone. */
  readonly caller: OwnAuth extends { kind: 'public' } ? undefined : Caller;
  readonly windows: readonly WindowState<WindowName>[];
  readonly table: Table;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly acceptsGzip: boolean;
  /** What says which fan it is, where the operation serves one; not looked into yet. */
  readonly ssoToken?: string | undefined;
  /** For the transaction of a POST: keeps the answer for whoever repeats the request with its Idempotency-Key. */
  readonly receipt: Receipt;
}

export type Handle<O extends Operation> = (
  input: Input<O>,
  deps: Deps<O['auth']>,
) => Promise<v.InferInput<O['output']['schema']> | StreamedOutput>;

/** An early answer of our own beats being cut off without one. */
const timeToAnswerMs = 300;

/** The walk of every request: record → exit ← door → cloakroom → desk. Its order is written here and nowhere else. */
export function pipeline<O extends Operation>(
  operation: O,
  handle: Handle<O>,
  platform: Platform = livePlatform(operation),
) {
  return middy<APIGatewayProxyEvent>({
    timeoutEarlyInMillis: timeToAnswerMs,
    streamifyResponse: operation.output.streamed,
  })
    .use(logRequest(operation, platform))
    .use(serializeResponse(operation, platform))
    .use(authenticate(operation, platform))
    .use(parseInput(operation))
    .handler((event: APIGatewayProxyEvent, _context, { signal }) => {
      const { input, caller, windows } = getRequestContext(event);
      const table = abortable(platform.table(), signal);
      return withIdempotency(operation, { event, table, nowUnix: unixSeconds(platform.clock) }, (receipt) =>
        handle(input as Input<O>, {
          caller: caller as Deps<O['auth']>['caller'],
          windows: windows.filter(isKeyWindow),
          table,
          clock: platform.clock,
          baseUrl: getBaseUrl(event),
          acceptsGzip: operation.output.streamed && acceptsGzip(getHeader(event, 'accept-encoding')),
          ssoToken: operation.auth.ssoUser ? getSsoToken(event) : undefined,
          receipt,
        }),
      );
    });
}
