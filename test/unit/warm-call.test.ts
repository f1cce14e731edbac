import { PassThrough } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pipeline } from '../../shared/http/pipeline.ts';
import { operations } from '../../shared/operations/registry.ts';
import { health } from '../../shared/operations/service/health.ts';
import { isWarmCall, warmCall } from '../../shared/platform/warm-call.ts';
import { plainText, routeWorker } from '../../shared/workers/route.ts';
import { apiEvent, lambdaContext } from '../../tools/fixtures/api-event.ts';
import { signingKeys } from '../../tools/fixtures/signing-key.ts';
import '../support/streaming-runtime.ts';

const noTable = () => {
  throw new Error('A warm call must not use the table.');
};
const platform = { clock: { nowMs: () => 0 }, table: noTable, signingKeys };
let lines: string[];

beforeEach(() => {
  vi.stubEnv('LOG', '');
  vi.stubEnv('STAGE', 'prod');
  vi.stubEnv('RELEASE', '3fa9c1d2e4b7');
  lines = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('a warm call', () => {
  it('runs no handler of an operation, writes no log and no metric, and uses no table', async () => {
    const handle = vi.fn();
    for (const operation of operations.filter(({ output }) => !output.streamed)) {
      const run: unknown = pipeline(operation, handle, platform);
      expect(await (run as (event: object, context: object) => Promise<unknown>)(warmCall, lambdaContext())).toBe('');
    }
    expect(handle).not.toHaveBeenCalled();
    expect(lines).toEqual([]);
  });

  it('ends the stream of an operation that streams, and runs no handler of a route', async () => {
    const handle = vi.fn(async () => plainText(200, 'A page'));
    for (const operation of operations.filter(({ output }) => output.streamed)) {
      const stream = new PassThrough();
      const run: unknown = pipeline(operation, handle, platform);
      await (run as (event: object, stream: unknown, context: object) => Promise<void>)(
        warmCall,
        stream,
        lambdaContext(),
      );
      expect(stream.writableEnded).toBe(true);
      expect(stream.read()).toBe(null);
    }
    await routeWorker(handle)(warmCall as unknown as APIGatewayProxyEvent, lambdaContext());
    expect(handle).not.toHaveBeenCalled();
    expect(lines).toEqual([]);
  });

  it('cannot come from outside: a request with the same text in its body, query, headers or path is a request', async () => {
    const text = JSON.stringify(warmCall);
    const fields = {
      body: text,
      queryStringParameters: { ...warmCall },
      headers: { ...warmCall },
      pathParameters: { ...warmCall },
    };
    const request = apiEvent(fields);
    expect(isWarmCall(request)).toBe(false);
    // Whatever API Gateway passes on, its own context is there.
    expect(isWarmCall({ ...request, ...warmCall })).toBe(false);
    const run: unknown = pipeline(health, vi.fn(), platform);
    const answer = (run as (event: object, context: object) => Promise<unknown>)(
      { ...request, ...warmCall },
      lambdaContext(),
    );
    await expect(answer).rejects.toThrow('must not use the table');
  });
});
