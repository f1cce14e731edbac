import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { requestPut } from '../../data/requests/request-log.ts';
import { rowMs } from '../../data/requests/row.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { countOutcome, log } from '../../platform/log.ts';
import { getRequestId } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { getRequestContext } from '../request-context.ts';
import { toProblem } from '../to-problem.ts';

/** The longest time that a response waits for a write of its row: less than a handler that timed out leaves (`timeoutEarlyMs`). */
const maxWaitMs = 200;
/** The write is tried once more if the function has this much time left: the second one must end before the function does. */
const retryNeedsMs = 1_000;

/**
 * Writes a call with an API key to the request log when its answer is ready. Lambda stops a function once it has answered, so the
 * response waits for the write and for one retry, briefly (ADR 59). A row that cannot be written is missing, and counted; the
 * response is the same.
 */
export function recordRequest(
  operation: Operation,
  platform: Platform,
): MiddlewareObj<APIGatewayProxyEvent, { statusCode: number }> {
  const record = async (
    { event, context }: { event: APIGatewayProxyEvent; context: Context },
    status: number,
    errorCode: string | null,
  ): Promise<void> => {
    const { caller, startedMs } = getRequestContext(event);
    if (caller?.kind !== 'secret') return;
    const nowMs = platform.clock.nowMs();
    const durationMs = Math.max(0, Math.round(nowMs - startedMs));
    const { orgId, keyId } = caller;
    const request = { requestId: getRequestId(event), operationId: operation.id, keyId, status, errorCode, durationMs };
    if (status === 429 && isWritten(orgId, rowMs(request, nowMs))) return;
    try {
      const put = requestPut(platform.table(), orgId, request, nowMs);
      await briefly(put).catch((error: unknown) => {
        if (context.getRemainingTimeInMillis() < retryNeedsMs) throw error;
        return briefly(put);
      });
    } catch (error) {
      log.warn('A request is missing in the request log', reasonOf(error));
      countOutcome(operation.id, 'RequestNotLogged');
    }
  };
  return {
    after: ({ event, context, response }) =>
      record({ event, context }, response?.statusCode ?? operation.output.status, null),
    onError({ event, context, error }) {
      const { status, code } = toProblem(error);
      return record({ event, context }, status, code);
    },
  };
}

/** The last row of refused calls that this instance has written for each organisation. */
const writtenMs = new Map<string, number>();
const maxRemembered = 1_000;

/** Whether this instance has written the row already: a flood of refused calls costs one write in five seconds, not one each. */
function isWritten(orgId: string, ms: number): boolean {
  if (writtenMs.get(orgId) === ms) return true;
  if (writtenMs.size >= maxRemembered) writtenMs.clear();
  writtenMs.set(orgId, ms);
  return false;
}

/** Gives a write up that takes too long. */
async function briefly(write: (abortSignal: AbortSignal) => Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), maxWaitMs);
  try {
    await write(waiting.signal);
  } finally {
    clearTimeout(timer);
  }
}
