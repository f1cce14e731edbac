import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { WindowState } from '../domain/auth/rate-windows.ts';
import type { Scope } from '../domain/auth/scopes.ts';
import type { GateBounds } from '../domain/gates/gate.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';

export interface Caller {
  readonly orgId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** Only of a gate token: where it may scan. */
  readonly gate?: GateBounds;
}

/** What the rooms of the pipeline leave for each other while a request walks through them. */
export interface RequestContext {
  startedMs: number;
  caller: Caller | undefined;
  /** The request was counted, and how to undo that. */
  uncount: (() => Promise<readonly WindowState[]>) | undefined;
  /** The caller's limits as this request left them; empty for a stranger. */
  windows: readonly WindowState[];
  input: { readonly params: unknown; readonly query: unknown; readonly body: unknown } | undefined;
  /** Whether this is the first answer to an Idempotency-Key, given again. */
  isReplayed: boolean;
  /** Work beside the answer, which waits for it a moment at most. */
  backgroundTasks: Promise<void>[];
}

/** Leaves work to be done beside the answer; when it fails that is logged, and nothing else comes of it. */
export function runInBackground(event: APIGatewayProxyEvent, failure: string, work: Promise<void>): void {
  getRequestContext(event).backgroundTasks.push(work.catch((error: unknown) => log.warn(failure, reasonOf(error))));
}

const contexts = new WeakMap<APIGatewayProxyEvent, RequestContext>();

export function getRequestContext(event: APIGatewayProxyEvent): RequestContext {
  const existing = contexts.get(event);
  if (existing !== undefined) return existing;
  const context: RequestContext = {
    startedMs: 0,
    caller: undefined,
    uncount: undefined,
    windows: [],
    input: undefined,
    isReplayed: false,
    backgroundTasks: [],
  };
  contexts.set(event, context);
  return context;
}
