import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { WindowState } from '../domain/auth/rate-windows.ts';
import type { Scope } from '../domain/auth/scopes.ts';
import type { GateBounds } from '../domain/gates/gate.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import type { FormTokens } from './auth/form-tokens.ts';
import type { TicketLink } from './auth/link-token.ts';

export interface Caller {
  readonly kind: 'secret' | 'storefront' | 'gate' | 'link';
  readonly orgId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** Only for a gate token: where it may scan. */
  readonly gate?: GateBounds;
  /** Only for a storefront token. */
  readonly storefront?: StorefrontCaller;
  /** Only for the link of a ticket: what it names. */
  readonly link?: TicketLink;
}

export interface StorefrontCaller {
  /** The origin of the page, which the token allows; undefined if the request has no Origin header. */
  readonly origin: string | undefined;
  /** Identifies the client address, and one of its counts if it has several. Tickets in a new basket are counted there. */
  readonly countedAddress: string;
  /** Identifies the client address. */
  readonly address: string;
  readonly tokenId: string;
  /** How many tickets the baskets of one count may have at a time. */
  readonly maxHeld: number;
  /** The key that signs basket tokens. */
  readonly basketKey: Uint8Array;
  /** The verified token of the basket in the path; undefined if the path has none. */
  readonly basketToken: string | undefined;
}

/** What the middlewares pass on to each other during one request. */
export interface RequestContext {
  startedMs: number;
  caller: Caller | undefined;
  /** The tokens of a simple form, which the body does not have any more. */
  formTokens: FormTokens | undefined;
  /** Reverts the count of this request. Undefined when the request was not counted. */
  uncount: (() => Promise<readonly WindowState[]>) | undefined;
  /** The caller's limits after this request; empty for an unauthenticated caller. */
  windows: readonly WindowState[];
  input: { readonly params: unknown; readonly query: unknown; readonly body: unknown } | undefined;
  /** Whether the response is the stored one of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
  /** Work that the response waits for only briefly (serialize-response). */
  backgroundTasks: Promise<void>[];
}

/** Runs work that the response does not depend on. A failure is logged and has no other effect. */
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
    formTokens: undefined,
    uncount: undefined,
    windows: [],
    input: undefined,
    isReplayed: false,
    backgroundTasks: [],
  };
  contexts.set(event, context);
  return context;
}
