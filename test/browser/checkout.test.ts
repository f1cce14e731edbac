import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { type Service, startService } from '../support/service.ts';
import { Pages, type SeenResponse, type ShopPage } from './pages.ts';
import { startMinute } from './start-minute.ts';

const orgId = 'org_shop';
let service: Service;
let pages: Pages;
let page: ShopPage;
let token: string;
let key: string;

beforeAll(async () => {
  service = await startService([orgId], { schedules: 'off' });
  const { eventId } = await givenEvent(service.table, orgId, { startUnix: farFutureUnix });
  const { categoryId } = await givenPriceCategory(service.table, orgId, { eventId });
  await givenPrice(service.table, orgId, { eventId, categoryId, capacity: 100, showOnline: true });
  key = await service.newKey(orgId);
  pages = await Pages.start();
  page = await pages.open();
  ({ text: token } = await givenStorefrontToken(service.table, orgId, { origins: [page.origin] }));
});
afterAll(async () => {
  await pages?.stop();
  await service?.stop();
});

const operationsCalled = (): string[] => [
  ...new Set(service.logs.flatMap((line) => line.match(/"operation":"[\w-]+"/)?.[0] ?? [])),
];
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });

describe('a shop in the browser', () => {
  it('with a secret key is refused and shows why, and nothing is done', async () => {
    expect(await page.buy({ api: service.url, token: key, org: orgId })).toEqual({ refused: 'secret_key_in_browser' });
    await expect.poll(operationsCalled).toEqual(['"operation":"list-events"']);
    expect((await service.call('/v1/rate_limit', { key })).headers.get('X-RateLimit-Remaining')).toBe('300');
  });

  it('of an origin that is not allowed is refused and shows why', async () => {
    const stranger = await pages.open();
    expect(await stranger.buy({ api: service.url, token, org: orgId })).toEqual({ refused: 'origin_not_allowed' });
  });

  it('buys tickets with a storefront token alone', async () => {
    const shown = await page.buy({ api: service.url, token, org: orgId });
    expect(shown).toEqual({ basketId: expect.any(String), status: 'confirmed', tickets: 2 });
    const { basketId } = fieldsOf(shown);
    const basket = await service.call(`/v1/baskets/${basketId}`, { key });
    expect(basket.body).toMatchObject({ status: 'checked_out' });
    expect(page.preflights).toContain(`POST ${service.url}/v1/baskets/${basketId}/checkout`);
  });

  it('cannot read the basket of another buyer, and reads that it does not exist', async () => {
    const { body } = await service.call('/v1/baskets', {
      method: 'POST',
      key,
      body: JSON.stringify({ org: orgId }),
      headers: { 'Content-Type': 'application/json' },
    });
    for (const headers of [bearer(token), { ...bearer(token), 'X-Basket-Token': 'x'.repeat(43) }]) {
      expect(await page.call(`${service.url}/v1/baskets/${fieldsOf(body).id}`, { headers })).toMatchObject({
        status: 404,
        body: { error: { code: 'resource_not_found' } },
      });
    }
  });

  it('reads that its basket has reached its limit, and when to try again', async () => {
    startMinute(service);
    const opened = await page.call(`${service.url}/v1/baskets`, {
      method: 'POST',
      headers: { ...bearer(token), 'Content-Type': 'application/json' },
      body: JSON.stringify({ org: orgId }),
    });
    const { id, basket_token } = fieldsOf(fieldsOf(opened).body);
    const headers = { ...bearer(token), 'X-Basket-Token': String(basket_token) };
    const seen: SeenResponse[] = [];
    const isRefused = () => seen.some((one) => one !== 'network error' && one.status === 429);
    // Twice the limit, because a slow machine may need more than a minute.
    while (!isRefused() && seen.length < 240)
      seen.push(await page.call(`${service.url}/v1/baskets/${id}`, { headers }));
    expect(seen.length).toBeGreaterThan(120);
    expect(seen.at(-1)).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limit_exceeded' } },
      headers: {
        'retry-after': expect.stringMatching(/^\d+$/),
        'x-ratelimit-limit': '120',
        'x-ratelimit-remaining': '0',
      },
    });
  });
});
