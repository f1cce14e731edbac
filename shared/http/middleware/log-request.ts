import { finished, Readable } from 'node:stream';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isMeasured } from '../../operations/is-measured.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { log, logRequest as writeEntry } from '../../platform/log.ts';
import { getRequestId } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { getRequestContext } from '../request-context.ts';
import { StreamAborted } from '../streamed-output.ts';
import { toProblem } from '../to-problem.ts';

/** Writes one log entry for every request, with its metrics. */
export function logRequest(
  operation: Operation,
  platform: Platform,
): MiddlewareObj<APIGatewayProxyEvent, { statusCode: number; body: unknown }> {
  const write = (event: APIGatewayProxyEvent, status: number, failure?: Readonly<Record<string, unknown>>): void => {
    const { caller, startedMs } = getRequestContext(event);
    const { meter } = platform.table();
    const latencyMs = platform.clock.nowMs() - startedMs;
    const { objective } = operation.runtime;
    writeEntry(
      operation.id,
      {
        isError: status >= 500,
        outcome: outcomeName(status, failure?.code),
        latencyMs,
        isStreamed: operation.output.streamed,
        missesObjective: objective && (status >= 500 || latencyMs > objective.latencyMs),
        isReleasedGradually: operation.runtime.releasedGradually,
        isMeasured: isMeasured(operation),
      },
      {
        api_request_id: getRequestId(event),
        org_id: caller?.orgId,
        key_id: caller?.keyId,
        status,
        table_calls: meter.calls,
        read_units: meter.readUnits,
        write_units: meter.writeUnits,
        ...failure,
      },
    );
  };
  return {
    before({ event, context }) {
      log.addContext(context, { api_request_id: getRequestId(event) });
      platform.table().meter.reset();
      getRequestContext(event).startedMs = platform.clock.nowMs();
    },
    after({ event, response }) {
      if (!(response?.body instanceof Readable)) {
        write(event, response?.statusCode ?? operation.output.status);
        return;
      }
      // The response has only started: its cost and its success are known when the last byte is sent.
      finished(response.body, (error) => {
        if (error)
          write(event, abortedStatus, {
            code: 'internal_error',
            ...reasonOf(error instanceof StreamAborted ? error.reason() : error),
          });
        else write(event, operation.output.status);
      });
    },
    onError({ event, error }) {
      const problem = toProblem(error);
      write(event, problem.status, { code: problem.code, ...(problem.status >= 500 ? reasonOf(error) : {}) });
    },
  };
}

/** The client received a 200 and then lost the connection: we count that as a failure. */
const abortedStatus = 500;

const outcomeNames: Readonly<Record<number, string>> = {
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'RateLimited',
  503: 'Unavailable',
};

/** A payment that the provider refuses with any method is our fault or the organisation's: sales stop, although its status is that of a declined card. */
function outcomeName(status: number, code: unknown): string {
  if (code === 'payment_refused') return 'PaymentRefused';
  if (status < 400) return 'Succeeded';
  return outcomeNames[status] ?? (status < 500 ? 'Invalid' : 'Failed');
}
