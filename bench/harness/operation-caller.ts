import { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Table } from '../../shared/data/table/table.ts';
import { type Handle, pipeline } from '../../shared/http/pipeline.ts';
import { handlerModule, type Operation } from '../../shared/operations/operation.ts';
import { apiEvent, lambdaContext } from '../../test/support/api-event.ts';

/** What Lambda's runtime has for functions that stream. */
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

export interface Answered {
  readonly status: number;
  readonly bytes: number;
  readonly body: string;
}

export interface Asked {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether only the size of a streamed answer is wanted: it may be larger than memory. */
  readonly discard?: boolean;
}

export type Ask = (asked: Asked) => Promise<Answered>;

/** Far enough apart that the limits of the door let all of them in. */
const stepMs = 250;
let nowMs = Date.now();
const clock = { nowMs: () => nowMs };

/** An operation as its function runs it, in this process and on this table. */
export async function operationOn(table: Table, operation: Operation): Promise<Ask> {
  const module: Record<string, unknown> = await import(`../../functions/${handlerModule(operation)}.ts`);
  const [, handle] = Object.entries(module).find(([name]) => name !== 'handler') ?? [];
  if (typeof handle !== 'function') throw new Error(`${operation.id} exports nothing beside its handler.`);
  const run: unknown = pipeline(operation, handle as Handle<Operation>, { clock, table: () => table });
  return operation.output.streamed
    ? streamedAsk(operation, run as StreamedRun)
    : bufferedAsk(operation, run as BufferedRun);
}

type BufferedRun = (event: APIGatewayProxyEvent, context: object) => Promise<{ statusCode: number; body: string }>;
type StreamedRun = (event: APIGatewayProxyEvent, stream: Writable, context: object) => Promise<void>;

function bufferedAsk(operation: Operation, run: BufferedRun): Ask {
  return async (asked) => {
    const { statusCode, body } = await run(eventOf(operation, asked), lambdaContext());
    return { status: statusCode, bytes: Buffer.byteLength(body), body };
  };
}

function streamedAsk(operation: Operation, run: StreamedRun): Ask {
  return async (asked) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (asked.discard !== true) chunks.push(chunk);
        done();
      },
    });
    await run(eventOf(operation, asked), stream, lambdaContext(600_000));
    return { status: streamedStatus, bytes, body: Buffer.concat(chunks).toString('utf8') };
  };
}

function eventOf(operation: Operation, { params = {}, query = {}, headers = {}, body }: Asked): APIGatewayProxyEvent {
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
