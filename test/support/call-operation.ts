import type { Readable } from 'node:stream';
import type { Table } from '../../shared/data/table/table.ts';
import type { TrustedCdn } from '../../shared/http/auth/trusted-cdn.ts';
import { type Handle, pipeline } from '../../shared/http/pipeline.ts';
import { operationAccess } from '../../shared/operations/grants.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { apiEvent, lambdaContext } from '../../tools/fixtures/api-event.ts';
import { signingKeys } from '../../tools/fixtures/signing-key.ts';
import { expectDocumentedError } from './documented-response.ts';
import { grantedTable } from './granted-table.ts';

export interface OperationCall {
  readonly table: Table;
  readonly nowMs: number;
  /** The API key or token; undefined: none is sent. */
  readonly bearer: string | undefined;
  readonly params?: Record<string, string>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly sourceIp?: string;
  /** The CDN in front of the API. */
  readonly cdn?: TrustedCdn;
}

export interface OperationResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ResponseWithHeaders extends OperationResponse {
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * On a busy machine, a request of these tests takes longer than the timeout of its function. It would get a 503 and go on anyway.
 */
const noTimeLimitMs = 600_000;

/** Calls an operation through its whole pipeline, with its grants on the table and the clock of the test. */
export async function callOperation<O extends Operation>(
  operation: O,
  handle: Handle<O>,
  call: OperationCall,
): Promise<OperationResponse> {
  const { status, body } = await callWithHeaders(operation, handle, call);
  return { status, body };
}

export async function callWithHeaders<O extends Operation>(
  operation: O,
  handle: Handle<O>,
  call: OperationCall,
): Promise<ResponseWithHeaders> {
  const { statusCode: status, headers, body } = await callPipeline(operation, handle, call);
  const parsed = body === '' ? {} : JSON.parse(String(body));
  if (status >= 400) expectDocumentedError(operation, status, parsed);
  return { status, headers, body: parsed };
}

interface LambdaResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  /** A stream, if the operation streams its response. */
  readonly body: string | Readable;
}

/** A text is a form. */
function bodyText(body: unknown): string | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The response as Lambda gets it: the body of a file is not JSON. */
export async function callPipeline<O extends Operation>(
  operation: O,
  handle: Handle<O>,
  { table, nowMs, bearer, params = {}, query, body, idempotencyKey, headers = {}, sourceIp, cdn }: OperationCall,
): Promise<LambdaResponse> {
  const granted = grantedTable(table, operation.id, operationAccess(operation));
  const platform = { clock: { nowMs: () => nowMs }, table: () => granted, signingKeys, cdn: () => cdn };
  const run = pipeline(operation, handle, platform);
  const event = apiEvent({
    httpMethod: operation.method,
    headers: {
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      'Content-Type': 'application/json',
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...headers,
    },
    pathParameters: params,
    ...(query !== undefined && { queryStringParameters: query }),
    body: bodyText(body),
  });
  if (sourceIp !== undefined) event.requestContext.identity.sourceIp = sourceIp;
  return run(event, lambdaContext(noTimeLimitMs));
}
