import * as v from 'valibot';
import type { Scope } from '../domain/auth/scopes.ts';
import type { TableAccess } from '../domain/table-access.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import type { DeliveryQueueName } from '../domain/webhooks/queues.ts';
import type { ProblemCode } from './problems.ts';
import type { Tag } from './tags.ts';

/** Parameters are always a closed set of named fields: whatever is not in it is a 400. */
export type ParameterSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/**
 * What the service knows of one operation. Routes, functions, grants, validation, the OpenAPI document, the local run and
 * the contract tests are all made from this and from nothing else.
 */
export interface Operation<
  Params extends ParameterSchema = ParameterSchema,
  Query extends ParameterSchema = ParameterSchema,
  Body extends ParameterSchema = ParameterSchema,
  Response extends v.GenericSchema = v.GenericSchema,
  OwnDoor extends Door = Door,
> {
  /** Verb-noun: also the handler's file name, the construct's id, the OpenAPI operationId and the log field. */
  readonly id: string;
  /** The folder of the entry and of the handler, and the OpenAPI tag. */
  readonly resource: Tag;
  readonly summary: string;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly paths: readonly [string, ...string[]];
  /** A read may change nothing but the door's counts and the remembered pages. */
  readonly effect: 'read' | 'write';
  readonly door: OwnDoor;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly status: 200 | 201;
  readonly response: Response;
  /**
   * What an answer is held against before it is sent: the response itself, unless parts of it were checked when they were
   * stored and have to be handed out as they are, whatever the response has come to promise since.
   */
  readonly outgoing: v.GenericSchema;
  readonly access: TableAccess;
  /** Whether the response may be larger than a buffered answer can be, and is sent as it is made. */
  readonly streamed: boolean;
  /** Whether it serves one fan, who says who they are with a token in the header X-SSO-Token. */
  readonly ssoUser: boolean;
  /** How long it may take, unless it is streamed. API Gateway waits for 29 s at most. */
  readonly timeoutSeconds: number;
  /** Whether it makes or opens what is sealed under the stack's secret. */
  readonly usesSecret: boolean;
  /** Whether it asks the payment provider. */
  readonly usesPayments: boolean;
  /** How many requests are served at once at most, where a flood of them would hurt other operations. */
  readonly concurrency: number | undefined;
  /** Whether a new version gets a tenth of the requests first: for what must not break. */
  readonly releasedGradually: boolean;
  /** The queues that it sends to. */
  readonly sends: readonly DeliveryQueueName[];
  /** What it may announce: each event is written in the transaction of its change. */
  readonly emits: readonly WebhookEventType[];
  /** Fields of the response that hold a secret: null when an Idempotency-Key brings the answer again. */
  readonly shownOnce: readonly string[];
  /** Problems of this operation's own, beside those that every operation can answer with. */
  readonly problems: readonly ProblemCode[];
}

/**
 * How a caller gets in. `counted`: with a key that holds the scope, one request of each window; where `gates` says so also
 * with a gate token, in the token's own window. `free`: with such a key, but nothing is counted. `open`: anyone, uncounted.
 */
export type Door =
  | { readonly kind: 'counted'; readonly scope: Scope; readonly gates?: true }
  | { readonly kind: 'free'; readonly scope: Scope }
  | { readonly kind: 'open' };

const noParameters = v.strictObject({});
type NoParameters = typeof noParameters;

type Entry<
  Params extends ParameterSchema,
  Query extends ParameterSchema,
  Body extends ParameterSchema,
  Response extends v.GenericSchema,
  OwnDoor extends Door,
> = Omit<
  Operation<Params, Query, Body, Response, OwnDoor>,
  | 'params'
  | 'query'
  | 'body'
  | 'outgoing'
  | 'problems'
  | 'streamed'
  | 'ssoUser'
  | 'usesSecret'
  | 'usesPayments'
  | 'emits'
  | 'shownOnce'
  | 'sends'
  | 'concurrency'
  | 'timeoutSeconds'
  | 'releasedGradually'
> & {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly outgoing?: v.GenericSchema;
  readonly problems?: readonly ProblemCode[];
  readonly streamed?: boolean;
  readonly ssoUser?: boolean;
  readonly timeoutSeconds?: number;
  readonly usesSecret?: boolean;
  readonly usesPayments?: boolean;
  readonly concurrency?: number;
  readonly releasedGradually?: boolean;
  readonly emits?: readonly WebhookEventType[];
  readonly shownOnce?: readonly string[];
  readonly sends?: readonly DeliveryQueueName[];
};

export function defineOperation<
  Response extends v.GenericSchema,
  const OwnDoor extends Door,
  Params extends ParameterSchema = NoParameters,
  Query extends ParameterSchema = NoParameters,
  Body extends ParameterSchema = NoParameters,
>(entry: Entry<Params, Query, Body, Response, OwnDoor>): Operation<Params, Query, Body, Response, OwnDoor>;
export function defineOperation(
  entry: Entry<ParameterSchema, ParameterSchema, ParameterSchema, v.GenericSchema, Door>,
): Operation {
  return {
    params: noParameters,
    query: noParameters,
    body: noParameters,
    outgoing: entry.response,
    problems: [],
    streamed: false,
    ssoUser: false,
    timeoutSeconds: 10,
    usesSecret: false,
    usesPayments: false,
    concurrency: undefined,
    releasedGradually: false,
    emits: [],
    shownOnce: [],
    sends: [],
    ...entry,
  };
}

/** Where the handler stands below `functions/`: a string, so that the stack never has to import a handler. */
export function handlerModule(operation: Operation): string {
  return `api/${operation.resource}/${operation.id}`;
}
