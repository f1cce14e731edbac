import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { putRequest } from '../../data/requests/request-log.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { log } from '../../platform/log.ts';
import { getRequestId } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { getRequestContext } from '../request-context.ts';
import { toProblem } from '../to-problem.ts';

/** The longest time that a response waits for its row: less than a handler that timed out leaves (`timeoutEarlyMs`). */
const maxWaitMs = 200;

/**
 * Writes a call with an API key to the request log when its answer is ready. Lambda stops a function once it has answered, so the
 * response waits for the write, briefly (ADR 59). A row that cannot be written is missing; the response is the same.
 */
export function recordRequest(
  operation: Operation,
  platform: Platform,
): MiddlewareObj<APIGatewayProxyEvent, { statusCode: number }> {
  const record = async (event: APIGatewayProxyEvent, status: number, errorCode: string | null): Promise<void> => {
    const { caller, startedMs } = getRequestContext(event);
    if (caller?.kind !== 'secret') return;
    const nowMs = platform.clock.nowMs();
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), maxWaitMs);
    try {
      const durationMs = Math.max(0, Math.round(nowMs - startedMs));
      const { orgId, keyId } = caller;
      const request = {
        requestId: getRequestId(event),
        operationId: operation.id,
        keyId,
        status,
        errorCode,
        durationMs,
      };
      await putRequest(platform.table(), orgId, request, { nowMs, abortSignal: waiting.signal });
    } catch (error) {
      log.warn('A request is missing in the request log', reasonOf(error));
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    after: ({ event, response }) => record(event, response?.statusCode ?? operation.output.status, null),
    onError({ event, error }) {
      const { status, code } = toProblem(error);
      return record(event, status, code);
    },
  };
}
