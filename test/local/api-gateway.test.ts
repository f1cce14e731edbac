import { request } from 'node:http';
import { connect } from 'node:net';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiServer } from '../../local/cloud/api-gateway/server.ts';
import { listen } from '../../local/cloud/http/listen.ts';
import { respondWhileStarting } from '../../local/run/while-starting.ts';
import { ErrorEnvelope } from '../../shared/operations/error-envelope.ts';
import { type Fixture, startFixture } from './fixture/start-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const WithContext = v.object({ requestContext: v.looseObject({ requestTimeEpoch: v.number() }) });
const call = (path: string, init?: RequestInit) => fetch(`${fixture.cloud.url}${path}`, init);
const echo = async (path: string, init?: RequestInit) => (await call(path, init)).json();

/** Sends headers that fetch would change. */
const echoOf = (headers: readonly string[]) =>
  new Promise<unknown>((resolve, reject) => {
    const outgoing = request(`${fixture.cloud.url}/echo`, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    outgoing.once('error', reject);
    outgoing.end();
  });

describe('local API Gateway: proxy event', () => {
  test('the proxy event decodes the query, keeps every value, and uses the last one as the single value', async () => {
    const event = await echo('/echo?name=J%C3%BCrgen+B&tag=a&tag=b&empty=');
    expect(event).toMatchObject({
      resource: '/echo',
      path: '/echo',
      httpMethod: 'GET',
      queryStringParameters: { name: 'Jürgen B', tag: 'b', empty: '' },
      multiValueQueryStringParameters: { name: ['Jürgen B'], tag: ['a', 'b'], empty: [''] },
      pathParameters: null,
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
    });
  });

  test('the proxy event has null where there is no query', async () => {
    const event = await echo('/echo');
    expect(event).toMatchObject({ queryStringParameters: null, multiValueQueryStringParameters: null });
  });

  test('the proxy event contains path parameters as they were sent', async () => {
    const event = await echo('/items/a%2Fb%20c');
    expect(event).toMatchObject({
      resource: '/items/{id}',
      pathParameters: { id: 'a%2Fb%20c' },
      path: '/items/a%2Fb%20c',
    });
  });

  test('the router prefers a literal path segment to a parameter', async () => {
    expect(await echo('/items/special')).toMatchObject({ resource: '/items/special', pathParameters: null });
  });

  test('the router ignores a trailing slash', async () => {
    expect(await echo('/echo/')).toMatchObject({ resource: '/echo', path: '/echo/' });
  });

  test('the proxy event keeps the case of header names, and all values of repeated headers', async () => {
    expect(await echoOf(['X-MiXed', 'one', 'X-MiXed', 'two', 'Host', 'example.test'])).toMatchObject({
      headers: { 'X-MiXed': 'two', Host: 'example.test', 'X-Forwarded-Proto': 'http' },
      multiValueHeaders: { 'X-MiXed': ['one', 'two'] },
    });
  });

  test.each([
    ['example.test:4000', 'example.test:4000'],
    ['[::1]:4000', '[::1]:4000'],
    ['example.test"><b>', '127.0.0.1'],
  ])('the proxy event of a request to %s names the host %s', async (host, domainName) => {
    expect(await echoOf(['Host', host])).toMatchObject({ requestContext: { domainName } });
  });

  test('the Date of a response is the time of the cloud, of a function, a mock and a refusal', async () => {
    fixture.cloud.clock.advance(3 * 86_400);
    const answers = [await call('/echo'), await call('/echo', { method: 'OPTIONS' }), await call('/no-such-path')];
    for (const { headers } of answers) {
      const aheadMs = Date.parse(headers.get('Date') ?? '') - Date.now();
      expect(aheadMs).toBeGreaterThan(2 * 86_400_000);
    }
  });

  test('the proxy event describes the request in its context, with the local clock', async () => {
    const before = fixture.cloud.clock.now();
    const response = await call('/items/7', { headers: { 'User-Agent': 'a test' } });
    const { requestContext } = v.parse(WithContext, await response.json());
    expect(requestContext).toMatchObject({
      requestId: response.headers.get('x-amzn-requestid'),
      httpMethod: 'GET',
      // As behind a custom domain: the path has no stage.
      path: '/items/7',
      resourcePath: '/items/{id}',
      stage: 'v1',
      identity: { sourceIp: '127.0.0.1', userAgent: 'a test' },
    });
    expect(requestContext.requestTimeEpoch).toBeGreaterThanOrEqual(before);
  });

  test.each([
    ['application/json', '{"name":"Ada 🎟"}', false],
    ['application/x-www-form-urlencoded', 'name=Ada&age=36', false],
    ['text/plain', 'plain', false],
  ])('the proxy event contains a body of %s as text', async (contentType, body, isBase64Encoded) => {
    const event = await echo('/echo', { method: 'POST', headers: { 'Content-Type': contentType }, body });
    expect(event).toMatchObject({ body, isBase64Encoded, headers: { 'Content-Type': contentType } });
  });

  test('the proxy event encodes a body of a binary media type', async () => {
    const body = new Uint8Array([0, 255, 1]);
    const event = await echo('/echo', { method: 'POST', headers: { 'Content-Type': 'image/png' }, body });
    expect(event).toMatchObject({ body: 'AP8B', isBase64Encoded: true });
  });

  test('the local API Gateway invokes a function through its alias', async () => {
    expect(await echo('/aliased')).toMatchObject({ resource: '/aliased' });
  });
});

describe('local API Gateway: proxy response', () => {
  test('the proxy response has single and repeated headers', async () => {
    const response = await call('/echo');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-single')).toBe('one');
    expect(response.headers.get('x-many')).toBe('a, b');
  });

  test('the proxy response decodes a base64 body of a binary media type', async () => {
    const response = await call('/echo?answer=png');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  test('the proxy response has no body after HEAD, and OPTIONS is an ordinary method', async () => {
    expect(await (await call('/echo', { method: 'HEAD' })).text()).toBe('');
    expect(await echo('/echo', { method: 'OPTIONS' })).toMatchObject({ httpMethod: 'OPTIONS' });
  });

  test.each(['invalid', 'error', 'large'])(
    'the proxy response is a 502 when the function returns %s',
    async (answer) => {
      const response = await call(`/echo?answer=${answer}`);
      expect(response.status).toBe(502);
      expect(await response.json()).toEqual({ broken: 'Internal server error' });
    },
  );
});

describe('local API Gateway: mock integrations', () => {
  test.each(['/nothing-here', '/items', '/items/7', '/items/special/', '/stream', '/items//x'])(
    'OPTIONS %s gets the response of the catch-all path, because no more specific path has the method',
    async (path) => {
      const response = await call(path, { method: 'OPTIONS' });
      expect(response.status).toBe(204);
      expect(response.headers.get('x-mock')).toBe('a, b');
      expect(await response.text()).toBe('');
    },
  );

  test('a mock integration refuses a body of a type for which it has no template', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const response = await call('/items/7', { method: 'OPTIONS', headers, body: 'x' });
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({ message: 'Unsupported Media Type' });
  });
});

describe('local API Gateway: gateway responses', () => {
  test.each([
    ['GET', '/nothing-here'],
    ['DELETE', '/echo'],
    ['GET', '/items//'],
    ['GET', '/'],
  ])('the gateway response to %s %s, an unknown route, follows the template', async (method, path) => {
    const response = await call(path, { method });
    const requestId = response.headers.get('request-id');
    expect(response.status).toBe(404);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('x-fixed')).toBe('text');
    expect(await response.json()).toEqual({
      id: requestId,
      text: 'Missing Authentication Token',
      type: 'MISSING_AUTHENTICATION_TOKEN',
    });
  });

  test('the gateway response to a slow function follows the template', async () => {
    const response = await call('/short-timeout?answer=late');
    expect(response.status).toBe(504);
    expect(await response.json()).toEqual({ broken: 'Endpoint request timed out' });
  });

  test('the gateway response to too long headers is a 431 with the default for 4xx', async () => {
    const socket = connect(Number(new URL(fixture.cloud.url).port), '127.0.0.1');
    socket.end(`GET /echo HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    const text = (await socket.toArray()).join('');
    expect(text).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(text).toMatch(/\{"message":"Bad Request"\}$/);
  });

  test.each([7, 11])('the gateway response to a body of %s MB is a 413', async (megabytes) => {
    const response = await call('/echo', { method: 'POST', body: 'x'.repeat(megabytes * 1024 * 1024) });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: 'Request Too Long' });
  });
});

test('the local API Gateway reuses connections, and a client that disconnects affects no other', async () => {
  const leaving = Array.from({ length: 5 }, () =>
    call('/stream?bytes=50000000', { signal: AbortSignal.timeout(100) }).then((r) => r.text()),
  );
  expect((await Promise.allSettled(leaving)).every(({ status }) => status === 'rejected')).toBe(true);
  const staying = await Promise.all(Array.from({ length: 20 }, () => call('/echo')));
  expect(staying.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  await Promise.all(staying.map((response) => response.text()));
});

describe('local API Gateway: before the cloud is ready', () => {
  test('the response is a 503 with our envelope and headers', async () => {
    const { server } = createApiServer(respondWhileStarting);
    const port = await listen(server, 0);
    const response = await fetch(`http://127.0.0.1:${port}/v1/health`);
    expect(response.status).toBe(503);
    expect(v.is(ErrorEnvelope, await response.json())).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '300',
      'request-id': expect.stringMatching(/./),
      'access-control-allow-origin': '*',
    });
    const preflight = await fetch(`http://127.0.0.1:${port}/v1/health`, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-max-age')]).toEqual([204, '7200']);
    expect(preflight.headers.get('x-ratelimit-remaining')).toBe('300');
    server.close();
  });
});
