import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { refusalCheck } from '../../admin/smoke/checks/refusal.ts';
import type { Reply } from '../../admin/smoke/http.ts';
import type { SmokeTarget } from '../../admin/smoke/target.ts';
import { listen } from '../../local/cloud/http/listen.ts';
import { anyOriginHeaders } from '../../shared/http/cors.ts';
import { rateHeadersWithoutKey } from '../../shared/http/rate-limit-headers.ts';

/** Lambda's API, as far as the check calls it. */
const calls: string[] = [];
const lambda = createServer((request, response) => {
  calls.push(`${request.method} ${request.url}`);
  response.writeHead(request.method === 'DELETE' ? 204 : 200, { 'Content-Type': 'application/json' });
  response.end(request.method === 'DELETE' ? '' : '{"ReservedConcurrentExecutions":0}');
});
beforeAll(async () => {
  const port = await listen(lambda, 0);
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${port}`);
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
});
afterEach(() => {
  calls.length = 0;
});
afterAll(() => {
  vi.unstubAllEnvs();
  lambda.close();
});

const error = { type: 'api_error', code: 'dependency_unavailable', param: null, request_id: 'r' };
const message = 'Repeat it with the same Idempotency-Key.';
const headers = { ...rateHeadersWithoutKey(503), ...anyOriginHeaders, 'Cache-Control': 'no-store', 'Request-Id': 'r' };
const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const reply = (status: number, more: object, body: unknown): Reply => ({
  status,
  headers: { ...lowerCase, ...more },
  text: JSON.stringify(body),
  body,
  firstByteMs: 0,
  lastByteMs: 0,
});
const isRefused = () => calls.length > 0 && !calls.at(-1)?.startsWith('DELETE');
const target = (refused: () => Reply): SmokeTarget =>
  ({
    stage: 'dev',
    kind: 'aws',
    resources: [{ type: 'AWS::Lambda::Function', logicalId: 'retrieveorganisation1', physicalId: 'fn' }],
    call: async () => (isRefused() ? refused() : reply(200, {}, {})),
  }) as unknown as SmokeTarget;
const check = refusalCheck({ orgId: 'org_smoke', key: 'key' });
const changes = ['PUT /2017-10-31/functions/fn/concurrency', 'DELETE /2017-10-31/functions/fn/concurrency'];

it('smoke proves that a refused function is a 503 to repeat, and takes the concurrency of 0 away', async () => {
  const right = () => reply(503, { 'retry-after': '1' }, { error: { ...error, message } });
  expect(await check.run(target(right))).toMatchObject({ status: 'proved' });
  expect(calls).toEqual(changes);
});

it('smoke reports the 500 of API Gateway', async () => {
  const { status, detail } = await check.run(target(() => reply(500, {}, { message: 'Internal server error' })));
  expect(status).toBe('failed');
  expect(detail).toMatch(/500 no envelope .* without Retry-After: 1. without the advice to repeat/);
});

it('smoke takes the concurrency of 0 away when the check fails in between', async () => {
  const broken = () => {
    throw new Error('The connection broke.');
  };
  await expect(check.run(target(broken))).rejects.toThrow('The connection broke.');
  expect(calls).toEqual(changes);
});
