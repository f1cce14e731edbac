import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WindowName, windowIndex, windowNames, windowRules } from '../../shared/domain/auth/rate-windows.ts';
import { givenCount } from '../../tools/fixtures/auth.ts';
import { type Service, type ServiceResponse, startService } from '../support/service.ts';
import { longSuite, longTest } from '../support/thorough.ts';

let service: Service;
let organisations = 0;

const names = Array.from({ length: 20 }, (_, index) => `org_limit${index}`);

beforeAll(async () => {
  service = await startService(names, { schedules: 'off' });
});
afterAll(() => service.stop());

async function givenCaller(): Promise<{ orgId: string; key: string }> {
  const orgId = names[organisations] ?? '';
  organisations += 1;
  return { orgId, key: await service.newKey(orgId) };
}

const organisation = (key: string): Promise<ServiceResponse> => service.call('/v1/organisation', { key });

/** Moves the clock to the first seconds of a new window, so no test crosses into the next window by accident. */
function toStartOf(window: WindowName): number {
  const { seconds } = windowRules[window];
  const start = (windowIndex(window, service.cloud.clock.now()) + 1) * seconds + 1;
  service.cloud.clock.advance(start - service.cloud.clock.now() / 1000);
  return service.cloud.clock.now();
}

const statuses = (responses: readonly ServiceResponse[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

longSuite('rate limit of 300 requests per key and minute', () => {
  it('the rate limit admits 300 requests, refuses the 301st with 429, and admits again after its Retry-After', async () => {
    const { key } = await givenCaller();
    toStartOf('key_minute');
    const responses: ServiceResponse[] = [];
    for (let batch = 0; batch < 15; batch += 1) {
      responses.push(...(await Promise.all(Array.from({ length: 20 }, () => organisation(key)))));
    }
    expect(statuses(responses)).toEqual({ 200: 300 });
    const refused = await organisation(key);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: expect.stringContaining('key_minute') },
    });
    const wait = Number(refused.headers.get('Retry-After'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    service.cloud.clock.advance(wait);
    expect((await organisation(key)).status).toBe(200);
  });
});

describe.each(windowNames)('rate limit window %s', (window) => {
  const { limit } = windowRules[window];

  longTest('the rate limit admits exactly the remaining number of 50 concurrent requests', async () => {
    const { orgId, key } = await givenCaller();
    const nowMs = toStartOf(window);
    await givenCount(service.table, orgId, { window, nowMs, count: limit - 20 });
    const responses = await Promise.all(Array.from({ length: 50 }, () => organisation(key)));
    expect(statuses(responses)).toEqual({ 200: 20, 429: 30 });
    const remaining = responses
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('a 429 names its window and consumes nothing, and its Retry-After leads into the next window', async () => {
    const { orgId, key } = await givenCaller();
    const nowMs = toStartOf(window);
    await givenCount(service.table, orgId, { window, nowMs, count: limit });
    const refused = await organisation(key);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: { message: expect.stringContaining(window) } });
    expect(refused.headers.get('X-RateLimit-Limit')).toBe(String(limit));
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('0');
    const wait = Number(refused.headers.get('Retry-After'));
    // The request may have taken seconds.
    expect(windowIndex(window, service.cloud.clock.now() + wait * 1000)).toBe(windowIndex(window, nowMs) + 1);
    service.cloud.clock.advance(wait);
    const admitted = await organisation(key);
    expect(admitted.status).toBe(200);
    expect(admitted.headers.get('X-RateLimit-Remaining')).toBe('299');
  });
});

describe('rate limit headers', () => {
  it('rate limit headers describe the tightest window', async () => {
    const { orgId, key } = await givenCaller();
    const nowMs = toStartOf('key_day');
    await givenCount(service.table, orgId, { window: 'organisation_day', nowMs, count: 49_990 });
    const { headers } = await organisation(key);
    expect(headers.get('X-RateLimit-Limit')).toBe('50000');
    expect(headers.get('X-RateLimit-Remaining')).toBe('9');
    expect(headers.get('RateLimit-Policy')).toBe(
      '"key-minute";q=300;w=60, "key-day";q=30000;w=86400, "organisation-day";q=50000;w=86400',
    );
    expect(headers.get('RateLimit')).toMatch(
      /^"key-minute";r=299;t=\d+, "key-day";r=29999;t=\d+, "organisation-day";r=9;t=\d+$/,
    );
  });

  it('rate limit headers on an unknown path show the whole limit, because no key is evaluated there', async () => {
    const { key } = await givenCaller();
    const { status, headers, body } = await service.call('/v1/nothing/here', { key });
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { code: 'route_not_found', request_id: headers.get('Request-Id') } });
    expect(headers.get('X-RateLimit-Limit')).toBe('300');
    expect(headers.get('X-RateLimit-Remaining')).toBe('300');
  });
});

describe('what counts towards the rate limit', () => {
  const remaining = async (key: string): Promise<number> => {
    const { body } = await service.call('/v1/rate_limit', { key });
    return (body as { windows: { remaining: number }[] }).windows[0]?.remaining ?? -1;
  };

  it('every response except 401 and 429 counts towards the rate limit, including 400, 403 and 404', async () => {
    const { orgId, key } = await givenCaller();
    toStartOf('key_minute');
    expect(await remaining(key)).toBe(300);
    await service.call('/v1/organisation?unknown=1', { key });
    expect(await remaining(key)).toBe(299);
    await service.call('/v1/probes/nothing', {
      key,
      method: 'POST',
      body: 'name=x',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(await remaining(key)).toBe(298);
    const reader = await service.newKey(orgId, { keyId: '2', scopes: ['read'] });
    await service.call('/v1/probes/nothing', { key: reader, method: 'POST' });
    expect(await remaining(reader)).toBe(299);
    await service.call('/v1/organisation', { key: key.replace('gl_test', 'gl_live') });
    expect(await remaining(key)).toBe(298);
  });

  it('health, the OpenAPI document and retrieve-rate-limit do not count towards the rate limit', async () => {
    const { key } = await givenCaller();
    toStartOf('key_minute');
    for (const path of ['/v1/health', '/v1/openapi.json', '/v1/rate_limit']) await service.call(path, { key });
    expect(await remaining(key)).toBe(300);
  });

  it('retrieve-rate-limit works when the limit is reached', async () => {
    const { orgId, key } = await givenCaller();
    const nowMs = toStartOf('key_minute');
    await givenCount(service.table, orgId, { window: 'key_minute', nowMs, count: 300 });
    const { status, body } = await service.call('/v1/rate_limit', { key });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      org_id: orgId,
      windows: [
        { name: 'key_minute', limit: 300, used: 300, remaining: 0 },
        { name: 'key_day' },
        { name: 'organisation_day' },
      ],
    });
  });
});
