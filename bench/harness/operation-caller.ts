import { registerHooks } from 'node:module';
import { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Table } from '../../shared/data/table/table.ts';
import { type Handle, pipeline } from '../../shared/http/pipeline.ts';
import { handlerModule, type Operation } from '../../shared/operations/operation.ts';
import { apiEvent, lambdaContext } from '../../tools/fixtures/api-event.ts';
import { signingKeys } from '../../tools/fixtures/signing-key.ts';
import { fontModule } from '../../tools/font-files.ts';

// The bundles contain the fonts (lib/bundle.ts). Here the functions are loaded as they are.
registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('.ttf')
      ? { format: 'module', shortCircuit: true, source: fontModule(new URL(url)) }
      : nextLoad(url, context),
});

/** The globals that Lambda's runtime provides for functions that stream. */
let streamedStatus = 0;
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from(stream: Writable, { statusCode }: { statusCode: number }) {
        streamedStatus = statusCode;
        return stream;
      },
    },
  },
});

export interface OperationResponse {
  readonly status: number;
  readonly bytes: number;
  readonly body: string;
}

export interface OperationRequest {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Counts the bytes of a streamed response and drops them, because the response may be larger than memory. */
  readonly discard?: boolean;
}

export type CallOperation = (request: OperationRequest) => Promise<OperationResponse>;

/** The clock's step between two requests: far enough apart that the rate limits admit all of them. */
const stepMs = 250;
let nowMs = Date.now();
const clock = { nowMs: () => nowMs };

/** Loads an operation's handler and runs it through the pipeline, in this process and on this table. */
export async function operationCaller(table: Table, operation: Operation): Promise<CallOperation> {
  const handle = await loadHandle(operation);
  const run: unknown = pipeline(operation, handle, { clock, table: () => table, signingKeys });
  return operation.output.streamed
    ? streamedCaller(operation, run as StreamedRun)
    : bufferedCaller(operation, run as BufferedRun);
}

export async function loadHandle(operation: Operation): Promise<Handle<Operation>> {
  const { handle }: { handle: Handle<Operation> } = await import(`../../functions/${handlerModule(operation)}.ts`);
  return handle;
}

type BufferedRun = (event: APIGatewayProxyEvent, context: object) => Promise<{ statusCode: number; body: string }>;
type StreamedRun = (event: APIGatewayProxyEvent, stream: Writable, context: object) => Promise<void>;

function bufferedCaller(operation: Operation, run: BufferedRun): CallOperation {
  return async (request) => {
    const { statusCode, body } = await run(eventOf(operation, request), lambdaContext());
    return { status: statusCode, bytes: Buffer.byteLength(body), body };
  };
}

function streamedCaller(operation: Operation, run: StreamedRun): CallOperation {
  return async (request) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (request.discard !== true) chunks.push(chunk);
        done();
      },
    });
    await run(eventOf(operation, request), stream, lambdaContext(600_000));
    return { status: streamedStatus, bytes, body: Buffer.concat(chunks).toString('utf8') };
  };
}

function eventOf(
  operation: Operation,
  { params = {}, query = {}, headers = {}, body }: OperationRequest,
): APIGatewayProxyEvent {
  nowMs += stepMs;
  const sent: Record<string, string> = { ...headers, ...(body && { 'Content-Type': 'application/json' }) };
  const many = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
  return apiEvent({
    httpMethod: operation.method,
    resource: operation.paths[0],
    headers: sent,
    multiValueHeaders: many(sent),
    pathParameters: params,
    queryStringParameters: query,
    multiValueQueryStringParameters: many(query),
    body: body === undefined ? null : JSON.stringify(body),
  });
}
