import * as v from 'valibot';
import type { Table } from '../../shared/data/table/table.ts';
import { FileOutput } from '../../shared/http/file-output.ts';
import type { Deps, Handle, Input } from '../../shared/http/pipeline.ts';
import { errorEnvelope, Problem } from '../../shared/http/problem.ts';
import type { Caller } from '../../shared/http/request-context.ts';
import { StreamedOutput } from '../../shared/http/streamed-output.ts';
import { operationAccess } from '../../shared/operations/grants.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { expectDocumentedError } from './documented-response.ts';
import { grantedTable } from './granted-table.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a client sends: defaults may be left out, as in a request. */
export interface SentInput {
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
}

/** What a handler is called with. A test names only what matters to it. */
export interface HandlerCall {
  readonly table: Table;
  readonly orgId: string;
  readonly nowMs?: number;
  readonly ssoToken?: string | undefined;
  /** The version of If-Match. */
  readonly ifMatch?: number | undefined;
  /** An API key by default. */
  readonly kind?: Caller['kind'];
  /** What the link of a ticket names, with the kind `link`. */
  readonly link?: Caller['link'];
  /** The scope of the operation by default. */
  readonly scopes?: Caller['scopes'];
}

/**
 * Calls a handler without the pipeline around it: input and response are checked by the operation's schemas, and the caller is
 * a key of the organisation. The table refuses what the operation has no grant for. What authentication, limits and idempotency do is tested with `callOperation`.
 */
export async function callHandler<O extends Operation>(
  operation: O,
  handle: Handle<O>,
  { params = {}, query = {}, body = {} }: SentInput,
  { table, orgId, nowMs = Date.now(), ssoToken, ifMatch, kind = 'secret', scopes, link }: HandlerCall,
): Promise<Fields> {
  const { input, output, auth } = operation;
  const caller: Caller | undefined =
    auth.kind === 'public'
      ? undefined
      : { kind, orgId, keyId: '1', scopes: scopes ?? [auth.scope], ...(link && { link }) };
  const deps: Deps<O['auth']> = {
    caller: caller as Deps<O['auth']>['caller'],
    windows: [],
    table: grantedTable(table, operation.id, operationAccess(operation)),
    clock: { nowMs: () => nowMs },
    requestId: 'req-1',
    baseUrl: 'https://api.example.com/stage',
    acceptsGzip: false,
    receipt: () => [],
    ssoToken,
    ifMatch,
  };
  const parsed = {
    params: v.parse(input.params, params),
    query: v.parse(input.query, query),
    body: v.parse(input.body, body),
  };
  const response = await handle(parsed as Input<O>, deps).catch((error: unknown) => {
    if (error instanceof Problem) expectDocumentedError(operation, error.status, errorEnvelope(error, 'req-1'));
    throw error;
  });
  if (response instanceof FileOutput) return { file: response };
  if (response instanceof StreamedOutput) return JSON.parse(await textOf(response));
  return JSON.parse(JSON.stringify(v.parse(output.storedSchema ?? output.schema, response)));
}

async function textOf(output: StreamedOutput): Promise<string> {
  let text = '';
  for await (const part of output.toStream(false)) text += String(part);
  return text;
}
