import * as v from 'valibot';
import { timeOrderedIds } from '../../platform/time-ordered-ids.ts';
import { type ItemKey, requestLogKey } from '../table/keys.ts';

export const rowIds = timeOrderedIds('');

/** How long a row is kept. */
export const keptSeconds = 14 * 86_400;

/** A call with an API key and its answer: what the log says of it, and nothing of what was sent. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly operationId: string;
  readonly keyId: string;
  readonly status: number;
  /** The code of the error; null for a success. */
  readonly errorCode: string | null;
  readonly durationMs: number;
}

export interface LoggedRequest extends AnsweredRequest {
  /** The position in the log. */
  readonly rowId: string;
  readonly answeredUnix: number;
}

const StoredRequest = v.object({
  sk: v.string(),
  req: v.string(),
  op: v.string(),
  key: v.string(),
  status: v.number(),
  code: v.optional(v.string()),
  ms: v.number(),
});

/**
 * The calls of an organisation that a limit refuses share one row for so long: a client that ignores its limits sends any number of
 * them. Shorter than the horizon of lists, so a row is complete before a list shows it.
 */
const refusedMs = 5_000;

/** The time of a call's row; for a call that a limit refused, the beginning of the seconds whose row it shares. */
export function rowMs({ status }: Pick<AnsweredRequest, 'status'>, nowMs: number): number {
  return status === 429 ? nowMs - (nowMs % refusedMs) : nowMs;
}

/** Always the same one for a moment that calls share. */
const rowIdOf = (request: AnsweredRequest, nowMs: number): string =>
  request.status === 429 ? rowIds.floor(rowMs(request, nowMs)).padEnd(26, '0') : rowIds.create(nowMs);

/** About 130 bytes, so a call costs one write unit, and a page of 100 four read units. */
export function requestItem(
  orgId: string,
  request: AnsweredRequest,
  nowMs: number,
): ItemKey & Readonly<Record<string, unknown>> {
  return {
    ...requestLogKey(orgId, rowIdOf(request, nowMs)),
    req: request.requestId,
    op: request.operationId,
    key: request.keyId,
    status: request.status,
    ...(request.errorCode !== null && { code: request.errorCode }),
    ms: request.durationMs,
    ttl: Math.floor(nowMs / 1000) + keptSeconds,
  };
}

export function parseRequest(item: unknown): LoggedRequest {
  const { sk, req, op, key, status, code = null, ms } = v.parse(StoredRequest, item);
  return {
    rowId: sk,
    answeredUnix: Math.floor(rowIds.msOf(sk) / 1000),
    requestId: req,
    operationId: op,
    keyId: key,
    status,
    errorCode: code,
    durationMs: ms,
  };
}
