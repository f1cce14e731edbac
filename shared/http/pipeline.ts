import middy from '@middy/core';
import { executionModeStandard } from '@middy/core/Standard';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as v from 'valibot';
import { abortable, type Table } from '../data/table/table.ts';
import { isKeyWindow, type WindowName, type WindowState } from '../domain/auth/rate-windows.ts';
import type { Auth, Operation } from '../operations/operation.ts';
import { type Clock, unixSeconds } from '../platform/clock.ts';
import { isWarmCall } from '../platform/warm-call.ts';
import type { FileOutput } from './file-output.ts';
import { getBaseUrl, getHeader, getRequestId, getSsoToken } from './headers.ts';
import { readIfMatch } from './if-match.ts';
import { authenticate } from './middleware/authenticate.ts';
import { type Receipt, withIdempotency } from './middleware/idempotency.ts';
import { logRequest } from './middleware/log-request.ts';
import { parseInput } from './middleware/parse-input.ts';
import { recordRequest } from './middleware/record-request.ts';
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
  /** Undefined only for a public operation. */
  readonly caller: OwnAuth extends { kind: 'public' } ? undefined : Caller;
  readonly windows: readonly WindowState<WindowName>[];
  readonly table: Table;
  readonly clock: Clock;
  /** The Request-Id of the response. Events and checkouts store it, so the log shows what the request led to. */
  readonly requestId: string;
  readonly baseUrl: string;
  readonly acceptsGzip: boolean;
  /** The unverified content of X-SSO-Token, for an operation that serves a fan (authenticateFan verifies it). */
  readonly ssoToken?: string | undefined;
  /** The version in the header If-Match, for an operation that reads it; undefined if every version may be changed. */
  readonly ifMatch?: number | undefined;
  /** A POST adds it to its transaction, so a repeat with the same Idempotency-Key gets the stored response. */
  readonly receipt: Receipt;
}

export type Handle<O extends Operation> = (
  input: Input<O>,
  deps: Deps<O['auth']>,
) => Promise<v.InferInput<O['output']['schema']> | StreamedOutput | FileOutput>;

/** The time before the function's timeout at which the pipeline gives up: an early 503 is better than no response. */
const timeoutEarlyMs = 300;

/**
 * Wraps a handler in the middlewares of every operation. They run in this order before the handler, and in reverse order
 * after it: warm calls end → log-request → record-request → serialize-response → authenticate → parse-input → handler, with idempotency around the
 * handler.
 */
export function pipeline<O extends Operation>(
  operation: O,
  handle: Handle<O>,
  platform: Platform = livePlatform(operation),
) {
  return (
    middy<APIGatewayProxyEvent>({
      timeoutEarlyInMillis: timeoutEarlyMs,
      executionMode: operation.output.streamed ? executionModeStreamifyResponse : executionModeStandard,
    })
      // A warm call ends here: nothing logs, counts or authenticates it, and no handler runs.
      .use({ before: ({ event }) => (isWarmCall(event) ? '' : undefined) })
      .use(logRequest(operation, platform))
      .use(recordRequest(operation, platform))
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
            requestId: getRequestId(event),
            baseUrl: getBaseUrl(event),
            acceptsGzip: operation.output.streamed && acceptsGzip(getHeader(event, 'accept-encoding')),
            ssoToken: operation.auth.ssoUser ? getSsoToken(event) : undefined,
            ifMatch: operation.input.ifMatch ? readIfMatch(event) : undefined,
            receipt,
          }),
        );
      })
  );
}
