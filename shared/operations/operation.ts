import * as v from 'valibot';
import type { Scope } from '../domain/auth/scopes.ts';
import type { StageSecretName } from '../domain/stage-secrets.ts';
import type { Access } from '../domain/table-access.ts';
import type { WalletName } from '../domain/wallets/wallet.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import type { DeliveryQueueName } from '../domain/webhooks/queues.ts';
import type { EntryOf } from '../domain/with-defaults.ts';
import type { ProblemCode } from './problems.ts';
import type { Tag } from './tags.ts';

/** Parameters are a closed set of named fields: a request with any other parameter is a 400. */
export type ParameterSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/**
 * What the service knows of one operation. Routes, functions, grants, validation, the OpenAPI document, the local run and
 * the contract tests are generated from this and from nothing else.
 */
export interface Operation<
  Params extends ParameterSchema = ParameterSchema,
  Query extends ParameterSchema = ParameterSchema,
  Body extends ParameterSchema = ParameterSchema,
  Schema extends v.GenericSchema = v.GenericSchema,
  OwnAuth extends Auth = Auth,
> {
  /** Verb-noun: also the handler's file name, the construct's id, the OpenAPI operationId and the log field. */
  readonly id: string;
  /** The folder of the entry and of the handler, and the OpenAPI tag. */
  readonly resource: Tag;
  readonly summary: string;
  readonly description: string;
  /** A GET changes nothing but request counts and the request log. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly paths: readonly [string, ...string[]];
  readonly auth: OwnAuth;
  readonly input: {
    readonly params: Params;
    readonly query: Query;
    readonly queryDependencies: QueryDependencies;
    readonly body: Body;
    /** Whether the header If-Match is read: the change is made only if the object still has that version. */
    readonly ifMatch: boolean;
    /** The largest body. Lambda receives 6 MB with everything that API Gateway adds and escapes. */
    readonly maxBodyBytes: number;
  };
  readonly output: Output<Schema>;
  readonly effects: Effects;
  readonly runtime: Runtime;
  /** Set when the changelog announces the end of the operation. Its responses and the OpenAPI document then say so. */
  readonly deprecation?: Deprecation;
}

/** Dates are whole days in UTC, such as 2027-01-31. Clients have at least twelve months between the two (docs/versioning.md). */
export interface Deprecation {
  readonly since: string;
  /** The first day without the operation. */
  readonly sunset: string;
  /** What clients do instead, as a sentence. */
  readonly instead: string;
}

/**
 * How a caller is authenticated. `metered`: by a key with the scope, and the request counts against every limit. `unmetered`:
 * by such a key, and the request does not count. `public`: without a key, and the request does not count.
 */
export type Auth =
  | {
      readonly kind: 'metered';
      readonly scope: Scope;
      /** A key with this scope instead may call the operation too. */
      readonly orScope?: Scope;
      /** A gate token is accepted too, and counts against its own limit. */
      readonly gates?: true;
      /**
       * The operation serves one fan, who sends their own token in the header X-SSO-Token. `linked`: the fan must be linked to a
       * customer. `signed_in`: a valid token is enough. `optional`: the operation also serves buyers without a token.
       * `linked_on_pages`: a storefront token needs that of a linked fan, and an API key may act for one.
       */
      readonly ssoUser?: 'linked' | 'signed_in' | 'optional' | 'linked_on_pages';
      /** A storefront token is accepted too, and counts against its own limits. Without this it is a 403. */
      readonly storefront?: StorefrontAccess;
      /** The token of the ticket's link, in the query, is accepted instead of a key. It reaches this one ticket. */
      readonly ticketLink?: true;
    }
  | ({ readonly kind: 'unmetered'; readonly scope: Scope } & OnlyKeys)
  | ({ readonly kind: 'public' } & OnlyKeys);

interface OnlyKeys {
  readonly orScope?: never;
  readonly gates?: never;
  readonly ssoUser?: never;
  readonly storefront?: never;
  readonly ticketLink?: never;
}

/**
 * What a storefront token may do with an operation. Everyone can read a storefront token, so it reads only what the public may
 * know, and a basket only with the token of the basket.
 */
export interface StorefrontAccess {
  /** What the operation shows or does, in words for the reference. */
  readonly sees: string;
  /** The only fields of the response that have a value. The others are null. Undefined: all fields. */
  readonly fields?: readonly string[];
  /** A read of the catalogue: the browser may keep the response for ten seconds, and it has an ETag. */
  readonly catalogue?: true;
  /** How long the browser may keep it instead. */
  readonly keptSeconds?: number;
  /** The query parameter with which the response never changes, so the browser may keep it for ever. */
  readonly keptForeverWith?: string;
  /** The operation opens a basket, which counts against a limit of the client address. */
  readonly opensBasket?: true;
  /** A page may send its tokens as fields of a form instead of headers, which saves the preflight request (simple-form.ts). */
  readonly simpleForm?: true;
}

/** How the parameters of a query depend on each other, by name. */
export interface QueryDependencies {
  /** A parameter, and those that it requires. */
  readonly requires: Readonly<Record<string, readonly string[]>>;
  /** Pairs that cannot be combined. */
  readonly excludes: readonly (readonly [string, string])[];
}

type MediaType = 'application/json' | 'application/pdf' | 'application/vnd.apple.pkpass';

interface Output<Schema extends v.GenericSchema> {
  readonly status: 200 | 201 | 202;
  readonly schema: Schema;
  /**
   * What the response is checked against instead of `schema`, where it contains parts that were checked when they were
   * stored. Those are returned as they are, whatever `schema` has come to promise since.
   */
  readonly storedSchema: v.GenericSchema | undefined;
  /** What a success returns: JSON of `schema`, or a file of another media type, which is streamed (FileOutput). */
  readonly mediaType: MediaType;
  /** Whether the response may be larger than a buffered one can be, and is sent while it is produced. */
  readonly streamed: boolean;
  /** How long any cache may keep the response, which is the same for every caller and has an ETag; undefined for no time. */
  readonly cachedSeconds: number | undefined;
  /** Fields that hold a secret: null when a repeated Idempotency-Key returns the response again. */
  readonly shownOnce: readonly string[];
  /**
   * Whether the response is stored for its Idempotency-Key. One that shows a state which changes is not: the operation is safe
   * to repeat, and the repeat shows the current state.
   */
  readonly isStored: boolean;
  /** The operation's own problems, in addition to those that every operation can return. */
  readonly problems: readonly ProblemCode[];
  /** What a client often calls next, with the values of this call: the links of the OpenAPI document. */
  readonly links: readonly Link[];
}

interface Link {
  /** The id of the operation to call. */
  readonly to: string;
  /** Its path parameters, each with the expression of its value (https://spec.openapis.org/oas/v3.1.0#runtime-expressions). */
  readonly params: Readonly<Record<string, `$${'request.path.' | 'response.body#/'}${string}`>>;
}

/** What the function does to the rest of the system. Its role allows this and nothing else. */
interface Effects {
  /** The grants of the data functions that it calls, from the `access.ts` of their folders. */
  readonly access: readonly Access[];
  /** The events that it may write to the outbox, each in the transaction of its change. */
  readonly emits: readonly WebhookEventType[];
  /** The queues that it sends to. */
  readonly sends: readonly DeliveryQueueName[];
  /** The secrets whose keys it seals, opens or signs with. */
  readonly secrets: readonly StageSecretName[];
  /** Whether it calls the payment provider. */
  readonly usesPayments: boolean;
  /** The wallets whose passes it signs. */
  readonly wallets: readonly WalletName[];
  /** Whether it puts the public address of the stage into a file that is kept outside. */
  readonly namesAddress: boolean;
  /** Whether it can do what no other operation undoes: refund, cancel, publish. An assistant may only propose it (ADR 0056). */
  readonly cannotBeUndone: boolean;
}

interface Runtime {
  /** The timeout, unless the response is streamed. API Gateway waits for 29 s at most. */
  readonly timeoutSeconds: number;
  /**
   * The reserved concurrency on a guarded stage: the most requests that are served at once, where a flood of them would hurt
   * other operations, and the number that no other function can take away, where a sale or a gate depends on it. It is the number
   * for a sale of 50,000 buyers; an account with less reserves less (lib/concurrency-plan.ts).
   */
  readonly concurrency: number | undefined;
  /** Whether `storefront sale` raises the reservation for an opening. */
  readonly raisedForSale: boolean;
  /** The most requests a second that API Gateway lets through, of all callers together; undefined for the limit of the stage alone. */
  readonly requestsPerSecond: number | undefined;
  /**
   * The service level objective: 99 of 100 requests are answered within this time and without a 5xx response. A guarded stage
   * has burn-rate alarms for it.
   */
  readonly objective: { readonly latencyMs: number } | undefined;
  /** Whether it waits for the payment provider most of its time, and so needs less memory. */
  readonly waitsForProvider: boolean;
  /** Whether a new version gets a tenth of the requests first: for operations that must not break. */
  readonly releasedGradually: boolean;
}

/** Whether its responses have an ETag: those to a storefront token, or to everyone. */
export const hasEntityTag = ({ auth, output }: Pick<Operation, 'auth' | 'output'>): boolean =>
  auth.storefront?.catalogue === true || output.cachedSeconds !== undefined;

const noParameters = v.strictObject({});
type NoParameters = typeof noParameters;

/** What an entry may leave out, and its value then. The type of an entry is derived from this object. */
const defaults = {
  input: {
    params: noParameters,
    query: noParameters,
    queryDependencies: { requires: {}, excludes: [] },
    body: noParameters,
    ifMatch: false,
    maxBodyBytes: 1_048_576,
  },
  output: {
    status: 200,
    storedSchema: undefined,
    mediaType: 'application/json',
    streamed: false,
    cachedSeconds: undefined,
    shownOnce: [],
    isStored: true,
    problems: [],
    links: [],
  },
  effects: {
    access: [],
    emits: [],
    sends: [],
    secrets: [],
    usesPayments: false,
    wallets: [],
    namesAddress: false,
    cannotBeUndone: false,
  },
  runtime: {
    timeoutSeconds: 10,
    concurrency: undefined,
    raisedForSale: false,
    requestsPerSecond: undefined,
    objective: undefined,
    waitsForProvider: false,
    releasedGradually: false,
  },
} as const;

type Entry<
  Params extends ParameterSchema,
  Query extends ParameterSchema,
  Body extends ParameterSchema,
  Schema extends v.GenericSchema,
  OwnAuth extends Auth,
> = EntryOf<Operation<Params, Query, Body, Schema, OwnAuth>, typeof defaults> & (Read | DecidedWrite);

interface Read {
  readonly method: 'GET';
}

/** Whoever adds a write decides whether it can be undone: a default would let an assistant do what nobody has thought about. */
interface DecidedWrite {
  readonly method: Exclude<Operation['method'], 'GET'>;
  readonly effects: Pick<Effects, 'cannotBeUndone'>;
}

export function defineOperation<
  Schema extends v.GenericSchema,
  const OwnAuth extends Auth,
  Params extends ParameterSchema = NoParameters,
  Query extends ParameterSchema = NoParameters,
  Body extends ParameterSchema = NoParameters,
>(entry: Entry<Params, Query, Body, Schema, OwnAuth>): Operation<Params, Query, Body, Schema, OwnAuth>;
export function defineOperation(
  entry: Entry<ParameterSchema, ParameterSchema, ParameterSchema, v.GenericSchema, Auth>,
): Operation {
  return {
    ...entry,
    input: { ...defaults.input, ...entry.input },
    output: { ...defaults.output, ...entry.output },
    effects: { ...defaults.effects, ...entry.effects },
    runtime: { ...defaults.runtime, ...entry.runtime },
  };
}

/** Whether a body is parsed, also for an operation without parameters. GET and DELETE refuse any body. */
export function readsBody({ method }: Operation): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** Whether every request needs the token of a fan. */
export function needsFanToken({ auth }: Operation): boolean {
  return auth.ssoUser === 'linked' || auth.ssoUser === 'signed_in';
}

/** The handler's file below `functions/`: a string, so that the stack never has to import a handler. */
export function handlerModule(operation: Operation): string {
  return `api/${operation.resource}/${operation.id}`;
}
