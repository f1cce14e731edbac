import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueGateToken } from '../../shared/data/admin/gate-tokens.ts';
import { givenGateCount } from '../../tools/fixtures/auth.ts';
import { makeGateToken, makeStorefrontToken } from '../../tools/fixtures/signing-key.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { type EventWithPrices, givenEventWithPrices } from '../support/event-with-prices.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { type Service, startService } from '../support/service.ts';
import { Pages, type ShopPage } from './pages.ts';
import { startMinute } from './start-minute.ts';

const [orgId, otherOrgId] = ['org_browsers', 'org_neighbours'] as const;
let service: Service;
let pages: Pages;
let page: ShopPage;
let sold: EventWithPrices;
let token: string;

beforeAll(async () => {
  service = await startService([orgId, otherOrgId], { schedules: 'off' });
  sold = await givenEventWithPrices(service.table, orgId);
  pages = await Pages.start();
  page = await pages.open();
  token = await newToken(orgId, [page.origin]);
});
afterAll(async () => {
  await pages?.stop();
  await service?.stop();
});

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const newToken = async (owner: string, origins: readonly string[]): Promise<string> =>
  (await givenStorefrontToken(service.table, owner, { origins })).text;

async function newGateToken(): Promise<string> {
  const fields = {
    label: null,
    gates: 'all',
    events: 'all',
    offline: false,
    createdUnix: 1,
    expiresUnix: null,
  } as const;
  return (await issueGateToken(service.table, orgId, fields, makeGateToken)).text;
}

const scan = (token: string) =>
  page.call(`${service.url}/v1/events/${sold.event.eventId}/scans`, {
    method: 'POST',
    headers: { ...bearer(token), 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify({ barcode: '1234567890' }),
  });

describe('a page of another origin', () => {
  it('reads why its token is refused', async () => {
    const seen = await page.call(`${service.url}/v1/events`, { headers: bearer(makeStorefrontToken(orgId, '9').text) });
    expect(seen).toMatchObject({ status: 401, body: { error: { code: 'api_key_invalid' } } });
    await expect.poll(() => page.preflights).toContain(`GET ${service.url}/v1/events`);
  });

  it('reads that a path does not exist', async () => {
    const seen = await page.call(`${service.url}/v1/nothing/here`, { method: 'DELETE', headers: bearer('x') });
    expect(seen).toMatchObject({ status: 404, body: { error: { code: 'route_not_found' } } });
  });

  it('reads a 429 and when to try again', async () => {
    startMinute(service);
    const token = await newGateToken();
    await givenGateCount(service.table, token, service.cloud.clock.now(), 600);
    expect(await scan(token)).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limit_exceeded' } },
      headers: {
        'retry-after': expect.stringMatching(/^\d+$/),
        'request-id': expect.stringMatching(/./),
        ratelimit: expect.stringMatching(/^"gate-minute";r=0/),
        'x-ratelimit-remaining': '0',
      },
    });
  });

  it('reads the health of the service without a preflight request', async () => {
    const before = page.preflights.length;
    expect(await page.call(`${service.url}/v1/health`)).toMatchObject({ status: 200 });
    expect(page.preflights).toHaveLength(before);
  });
});

describe('a page with a storefront token', () => {
  const events = () => `${service.url}/v1/events`;

  it('reads the catalogue, its ETag and its limits', async () => {
    expect(await page.call(events(), { headers: bearer(token) })).toMatchObject({
      status: 200,
      body: { data: [{ event_id: String(sold.event.eventId) }] },
      headers: {
        etag: expect.stringMatching(/^".+"$/),
        'cache-control': 'private, max-age=10',
        'x-ratelimit-limit': '600',
        'request-id': expect.stringMatching(/./),
      },
    });
  });

  it('gets 304 when it sends the ETag itself', async () => {
    const first = await page.call(events(), { headers: bearer(token) });
    const etag = first === 'network error' ? '' : String(first.headers.etag);
    const headers = { ...bearer(token), 'If-None-Match': etag };
    expect(await page.call(events(), { headers })).toMatchObject({ status: 304, headers: { etag } });
  });

  it('gets a kept response only with its own token: neither another organisation nor another origin is mixed up', async () => {
    const url = `${service.url}/v1/organisation`;
    const ask = async (from: ShopPage, text: string) => {
      const seen = await from.call(url, { headers: bearer(text) });
      return seen === 'network error' ? seen : [fieldsOf(seen.body).name, seen.headers['request-id']];
    };
    const fresh = await pages.open();
    const elsewhere = await fresh.sibling();
    const origins = [fresh.origin, elsewhere.origin];
    const tokens = [await newToken(orgId, origins), await newToken(otherOrgId, origins)] as const;
    const [mine, again, theirs] = [
      await ask(fresh, tokens[0]),
      await ask(fresh, tokens[0]),
      await ask(fresh, tokens[1]),
    ];
    expect(mine).toEqual([`Name of ${orgId}`, expect.any(String)]);
    // The same request id: the browser has not asked again.
    expect(again).toEqual(mine);
    expect(theirs).toEqual([`Name of ${otherOrgId}`, expect.any(String)]);
    // The other page has a copy of its own, whose headers allow it.
    expect(await ask(elsewhere, tokens[0])).toMatchObject({ 0: `Name of ${orgId}` });
  });

  it('of an origin that is not allowed is refused, and reads why', async () => {
    const stranger = await pages.open();
    expect(await stranger.call(events(), { headers: bearer(token) })).toMatchObject({
      status: 403,
      body: { error: { code: 'origin_not_allowed' } },
    });
  });

  it('reads that an operation is not for pages', async () => {
    expect(await page.call(`${service.url}/v1/customers`, { headers: bearer(token) })).toMatchObject({
      status: 403,
      body: { error: { code: 'storefront_not_allowed' } },
    });
  });

  it('with a secret key instead is refused, and reads why', async () => {
    const key = await service.newKey(orgId);
    expect(await page.call(events(), { headers: bearer(key) })).toMatchObject({
      status: 403,
      body: { error: { code: 'secret_key_in_browser' } },
    });
  });
});

describe('a preflight request', () => {
  it('invokes no function and is not counted, and the browser repeats it for no later call of the same path', async () => {
    const token = await newGateToken();
    const fresh = await pages.open();
    const url = `${service.url}/v1/events/${sold.event.eventId}/scans`;
    const invocations = () =>
      new Set(
        service.logs.flatMap((line) =>
          line.includes(`"operation":"record-scan"`) ? line.match(/"api_request_id":"[^"]+"/) : [],
        ),
      ).size;
    const before = invocations();
    const left: unknown[] = [];
    startMinute(service);
    for (const barcode of ['1', '2', '3']) {
      const headers = { ...bearer(token), 'Content-Type': 'application/json' };
      const seen = await fresh.call(url, { method: 'POST', headers, body: JSON.stringify({ barcode }) });
      left.push(seen === 'network error' ? seen : seen.headers['x-ratelimit-remaining']);
    }
    expect(left).toEqual(['599', '598', '597']);
    await expect.poll(invocations).toBe(before + 3);
    await expect.poll(() => fresh.preflights).toEqual([`POST ${url}`]);
  });
});
