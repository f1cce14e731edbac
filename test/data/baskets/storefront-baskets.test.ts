import { beforeAll, describe, expect, it } from 'vitest';
import { rotateStorefrontToken } from '../../../shared/data/admin/storefront-tokens.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { makeStorefrontToken } from '../../../tools/fixtures/signing-key.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { givenOnSale } from '../../support/baskets.ts';
import type { OperationCall } from '../../support/call-operation.ts';
import { testCdn, throughCdn } from '../../support/cdn.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';
import { longTest } from '../../support/thorough.ts';

await givenStackSecret();

const orgId = 'org_shop';
let table: Table;
let price: PriceRecord;
let token: string;
let shop: Shop;
let server: Shop;

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await givenOrganisation(table, 'org_other');
  ({ price } = await givenOnSale(table, orgId, { capacity: 1_000 }));
  ({ text: token } = await givenStorefrontToken(table, orgId));
  shop = new Shop(table, orgId, token);
  server = new Shop(table, orgId, (await givenKey(table, orgId)).text);
});

const notFound = { status: 404, body: { error: { code: 'resource_not_found', message: 'No such basket.' } } };
/** The same for every id. */
const withoutToken = { status: 404, body: { error: { message: expect.stringContaining('X-Basket-Token') } } };

describe('baskets of a storefront token', () => {
  it('a buyer opens, fills and checks out a basket with its basket token', async () => {
    const basket = await shop.opened();
    expect(basket.token).toMatch(/^gl_basket_[0-9A-Za-z]{43}$/);
    expect(await shop.add(basket, price.priceId, 2)).toMatchObject({
      status: 200,
      headers: { 'RateLimit-Policy': '"basket-minute";q=120;w=60', 'X-RateLimit-Remaining': '119' },
    });
    expect((await shop.checkOut(basket)).status).toBe(201);
    const { body } = await shop.retrieve(basket);
    expect(body).toMatchObject({ status: 'checked_out', order: { tickets: [{}, {}] } });
    expect(body).not.toHaveProperty('basket_token');
  });

  it('an API key gets no basket token and needs none, also for the basket of a storefront token', async () => {
    expect(await server.opened()).toMatchObject({ token: undefined });
    const basket = await shop.opened();
    expect((await server.retrieve({ ...basket, token: undefined })).status).toBe(200);
  });

  it('without its token, a basket looks like a missing one in every operation', async () => {
    const mine = await shop.opened();
    const theirs = await shop.opened();
    const ofServer = await server.opened();
    const { text: other } = await givenStorefrontToken(table, 'org_other');
    const elsewhere = await new Shop(table, 'org_other', other).opened();
    const tokens = [
      undefined,
      '',
      'x',
      mine.token,
      elsewhere.token,
      `${theirs.token?.slice(0, -1)}?`,
      `${theirs.token} `.repeat(2),
    ];
    for (const { id } of [theirs, ofServer]) {
      for (const sent of tokens) {
        const basket = { id, token: sent };
        const refused = (sent ?? '') === '' ? withoutToken : notFound;
        expect(await shop.retrieve(basket), sent).toMatchObject(refused);
        expect(await shop.add(basket, price.priceId), sent).toMatchObject(refused);
        expect(await shop.remove(basket, price.priceId), sent).toMatchObject(refused);
        expect(await shop.updateLine(basket, 1, { quantity: 1 }), sent).toMatchObject(refused);
        expect(await shop.removeLine(basket, 1), sent).toMatchObject(refused);
        expect(await shop.checkOut(basket), sent).toMatchObject(refused);
        expect(await shop.cancel(basket), sent).toMatchObject(refused);
      }
    }
    for (const id of ['1', '0', 'x', '9007199254740991', '__proto__']) {
      expect(await shop.retrieve({ id, token: mine.token })).toMatchObject(notFound);
    }
    expect(await new Shop(table, 'org_other', other).retrieve(mine)).toMatchObject(notFound);
    expect((await shop.retrieve(theirs)).body).toMatchObject({ status: 'open', items: [] });
  });

  it('an order cannot be found by trying ids: neither the basket that became it nor any id near it is shown', async () => {
    const theirs = await shop.opened();
    await shop.add(theirs, price.priceId);
    expect((await shop.checkOut(theirs)).status).toBe(201);
    const mine = await shop.opened();
    for (let near = -3; near <= 3; near += 1) {
      const id = String(Number(theirs.id) + near);
      expect(await shop.retrieve({ id, token: mine.token }), id).toMatchObject(notFound);
      expect(await shop.checkOut({ id, token: mine.token }), id).toMatchObject(notFound);
    }
  });

  it('a price of another organisation looks like a missing one', async () => {
    const { price: foreign } = await givenOnSale(table, 'org_other');
    const basket = await shop.opened();
    expect((await shop.add(basket, foreign.priceId)).body).toEqual((await shop.add(basket, 513)).body);
  });

  it('a basket continues with the token that replaced the one it was opened with', async () => {
    const first = await givenStorefrontToken(table, orgId);
    const basket = await new Shop(table, orgId, first.text).opened();
    const rotation = { orgId, tokenId: first.tokenId, nowUnix: 1_790_000_000, overlapSeconds: 60 };
    const rotated = await rotateStorefrontToken(table, rotation, makeStorefrontToken);
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    expect((await new Shop(table, orgId, rotated.token.text).retrieve(basket)).status).toBe(200);
  });

  it('open-basket for another organisation is refused', async () => {
    expect(await shop.open({ body: { org: 'org_other' } })).toMatchObject({
      status: 400,
      body: { error: { code: 'resource_missing', param: 'org' } },
    });
  });

  it('prices that the catalogue hides cannot be added', async () => {
    const draft = await givenEvent(table, orgId, { statusId: 0 });
    const secret = await givenEvent(table, orgId, { publicEvent: false });
    const hidden: PriceRecord[] = [];
    for (const { eventId } of [draft, secret]) {
      const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
      hidden.push(await givenPrice(table, orgId, { eventId, categoryId }));
    }
    const { eventId, categoryId } = price;
    hidden.push(await givenPrice(table, orgId, { eventId, categoryId, showOnline: false }));
    hidden.push(await givenPrice(table, orgId, { eventId, categoryId, status: 'inactive' }));
    const basket = await shop.opened();
    const missing = (await shop.add(basket, 513)).body;
    expect(missing).toMatchObject({ error: { code: 'resource_missing', param: 'price_id' } });
    for (const { priceId } of hidden) expect((await shop.add(basket, priceId)).body).toEqual(missing);
  });
});

describe('Idempotency-Key with a storefront token', () => {
  it('open-basket refuses it, because all buyers share the token', async () => {
    expect(await shop.open({ idempotencyKey: 'k' })).toMatchObject({
      status: 400,
      body: { error: { code: 'parameter_unknown', param: 'Idempotency-Key' } },
    });
  });

  it('an Idempotency-Key is valid only with the basket token that it was sent with: another buyer who sends it gets a 404', async () => {
    const basket = await shop.opened();
    const first = await shop.add(basket, price.priceId, 2, { idempotencyKey: 'mine' });
    expect(first.status).toBe(200);
    const again = await shop.add(basket, price.priceId, 2, { idempotencyKey: 'mine' });
    expect(again).toMatchObject({ body: first.body, headers: { 'Idempotency-Replayed': 'true' } });
    const attacker = await shop.opened();
    const stolen = { id: basket.id, token: attacker.token };
    expect(await shop.add(stolen, price.priceId, 2, { idempotencyKey: 'mine' })).toMatchObject(notFound);
    // The organisation's server has keys of its own: the request is executed, not replayed.
    const byServer = await server.add({ ...basket, token: undefined }, price.priceId, 2, { idempotencyKey: 'mine' });
    expect(byServer.body).toMatchObject({ items: [{ quantity: 4 }] });
  });
});

describe('limits of a storefront token', () => {
  longTest('a client address has 600 requests a minute, and a basket 120 of its own', async () => {
    const { text } = await givenStorefrontToken(table, orgId);
    const own = new Shop(table, orgId, text, { sourceIp: '2001:db8::1' });
    const basket = await own.opened();
    const sameNetwork = new Shop(table, orgId, text, { sourceIp: '2001:db8::ffff' });
    const statuses: number[] = [];
    for (let batch = 0; batch < 20; batch += 1) {
      const sent = Array.from({ length: 31 }, async () => (await sameNetwork.retrieve({ id: '1', token: '' })).status);
      statuses.push(...(await Promise.all(sent)));
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(599);
    expect(statuses.filter((status) => status === 429)).toHaveLength(21);
    expect(await own.open()).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limit_exceeded', message: expect.stringContaining('address_minute') } },
      headers: { 'X-RateLimit-Limit': '600', 'X-RateLimit-Remaining': '0', 'Retry-After': '60' },
    });
    expect((await new Shop(table, orgId, text, { sourceIp: '2001:db8:0:1::1' }).open()).status).toBe(201);
    const ofBasket = await Promise.all(Array.from({ length: 130 }, async () => (await own.retrieve(basket)).status));
    expect(ofBasket.filter((status) => status === 200)).toHaveLength(120);
    expect(await own.retrieve(basket)).toMatchObject({
      status: 429,
      body: { error: { message: expect.stringContaining('basket_minute') } },
    });
  });

  it('an address that a client claims in a header is not counted, unless the CDN of the stage sent it', async () => {
    const { text } = await givenStorefrontToken(table, orgId, { maxBaskets: 1_000 });
    const client = new Shop(table, orgId, text, { sourceIp: '192.0.2.77' });
    const remaining = async (changes: Partial<OperationCall>) =>
      (await client.open(changes)).headers['X-RateLimit-Remaining'];
    const claimed = ['203.0.113.1:1', '203.0.113.2:1', '203.0.113.3:1'];
    const left = { withoutCdn: [] as unknown[], wrongSecret: [] as unknown[], throughCdn: [] as unknown[] };
    for (const address of claimed) {
      left.withoutCdn.push(await remaining({ headers: throughCdn(address) }));
      left.wrongSecret.push(await remaining({ headers: throughCdn(address, 'guessed'), cdn: testCdn }));
      left.throughCdn.push(await remaining({ headers: throughCdn(address), cdn: testCdn }));
    }
    expect(left).toEqual({
      withoutCdn: ['599', '597', '595'],
      wrongSecret: ['598', '596', '594'],
      throughCdn: ['599', '599', '599'],
    });
  });

  it('requests with wrong basket tokens do not use up those of the buyer', async () => {
    const basket = await shop.opened();
    const wrong = { id: basket.id, token: `gl_basket_${'a'.repeat(43)}` };
    const statuses = await Promise.all(Array.from({ length: 130 }, async () => (await shop.retrieve(wrong)).status));
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect((await shop.retrieve(basket)).headers['X-RateLimit-Remaining']).toBe('119');
  });

  it('made-up basket tokens count against the address, each of them, until it is refused', async () => {
    const { text } = await givenStorefrontToken(table, orgId, { perAddress: 20 });
    const attacker = new Shop(table, orgId, text, { sourceIp: '198.51.100.2' });
    const basket = await attacker.opened();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        attacker.retrieve({ id: basket.id, token: `gl_basket_${String(index).padStart(43, '0')}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
    const [refused, ...others] = answers.filter(({ status }) => status === 429);
    expect(others).toHaveLength(20);
    expect(refused).toMatchObject({
      body: { error: { code: 'rate_limit_exceeded', message: expect.stringContaining('address_minute') } },
      headers: { 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': '0' },
    });
    expect((await attacker.open()).status).toBe(429);
    // Whoever has the token of a basket goes on, behind the same address too.
    expect((await attacker.retrieve(basket)).status).toBe(200);
    const other = new Shop(table, orgId, text, { sourceIp: '198.51.100.3' });
    expect((await other.open()).status).toBe(201);
  });

  it('a flood from many addresses reaches the ceiling of the token, and buyers with a basket can still pay', async () => {
    const { text } = await givenStorefrontToken(table, orgId, { perMinute: 50 });
    const buyer = new Shop(table, orgId, text, { sourceIp: '198.51.100.1' });
    const basket = await buyer.opened();
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const attacker = new Shop(table, orgId, text, { sourceIp: `203.0.113.${index}` });
        return (await attacker.retrieve({ id: '1', token: '' })).status;
      }),
    );
    expect(statuses.filter((status) => status === 404)).toHaveLength(49);
    expect(await buyer.open()).toMatchObject({
      status: 429,
      body: { error: { message: expect.stringContaining('storefront_minute') } },
    });
    expect((await buyer.add(basket, price.priceId)).status).toBe(200);
    expect((await buyer.checkOut(basket)).status).toBe(201);
  });
});
