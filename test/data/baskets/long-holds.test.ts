import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleList } from '../../../functions/api/baskets/list-held-baskets.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { maxLongHoldSeconds } from '../../../shared/domain/baskets/basket.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { listHeldBaskets } from '../../../shared/operations/baskets/list-held-baskets.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { givenOnSale, noonUnix } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenSeatedEvent } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_holds';
const day = 86_400;
const until = noonUnix + 10 * day;
const group = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
let table: Table;
let price: PriceRecord;
let server: Shop;
let shop: Shop;

await givenStackSecret();

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ price } = await givenOnSale(table, orgId, { capacity: 100 }));
  server = new Shop(table, orgId, (await givenKey(table, orgId)).text);
  shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
});

const held = (fields: object = {}) => ({ body: { org: orgId, hold_until_unix: until, ...fields } });

describe('a basket that an organisation keeps for days', () => {
  it('is opened by the server, listed by the end of its time, and paid by the fan with the token of its link', async () => {
    const late = await server.opened(held({ hold_until_unix: until + day }));
    const basket = await server.opened(held({ reason: 'School class', customer: group }));
    for (const each of [late, basket]) expect((await server.add(each, price.priceId, 40)).status).toBe(200);
    const { body } = await server.retrieve(basket);
    expect(body).toMatchObject({
      status: 'open',
      expires_at: until,
      hold_until_unix: until,
      reason: 'School class',
      customer: group,
      basket_token: expect.stringMatching(/^gl_basket_/),
    });
    const list = () =>
      callHandler(listHeldBaskets, handleList, { params: { event_id: String(price.eventId) } }, call(table));
    expect(await list()).toMatchObject({
      has_more: false,
      data: [
        { id: basket.id, reason: 'School class', customer: group },
        { id: late.id, reason: null, customer: null },
      ],
    });
    const link = { id: basket.id, token: String(body.basket_token) };
    const shown = await shop.retrieve(link);
    expect(shown).toMatchObject({ status: 200, body: { items: [{ quantity: 40 }] } });
    for (const name of ['reason', 'customer', 'basket_token']) expect(shown.body).not.toHaveProperty(name);
    expect(await shop.add(link, price.priceId)).toMatchObject({
      status: 409,
      body: { error: { code: 'basket_held' } },
    });
    expect(await shop.updateLine(link, 1, { quantity: 39 })).toMatchObject({ status: 200 });
    expect(await shop.updateLine(link, 1, { quantity: 40 })).toMatchObject({
      status: 409,
      body: { error: { code: 'basket_held' } },
    });
    expect((await shop.checkOut(link)).status).toBe(201);
    expect(await list()).toMatchObject({ data: [{ id: late.id }] });
    expect((await readBasket(table, orgId, Number(basket.id)))?.longHold).toBeNull();
    await server.cancel(late);
    expect(await list()).toMatchObject({ data: [] });
  });

  it('gets no more seats from a fan, whom no limit of an address counts', async () => {
    const { price: seated } = await givenSeatedEvent(table, orgId);
    const basket = await server.opened(held());
    expect((await server.addSeats(basket, seated.priceId, 2)).status).toBe(200);
    const { body } = await server.retrieve(basket);
    const link = { id: basket.id, token: String(body.basket_token) };
    expect(await shop.addSeats(link, seated.priceId, 2)).toMatchObject({
      status: 409,
      body: { error: { code: 'basket_held' } },
    });
  });

  it('lists in pages', async () => {
    const { price: paged } = await givenOnSale(table, orgId, { capacity: 100 });
    const ids: string[] = [];
    for (const days of [1, 2, 3]) {
      const basket = await server.opened(held({ hold_until_unix: noonUnix + days * day }));
      await server.add(basket, paged.priceId);
      ids.push(basket.id);
    }
    const params = { event_id: String(paged.eventId) };
    const first = await callHandler(listHeldBaskets, handleList, { params, query: { limit: 2 } }, call(table));
    expect(first).toMatchObject({ has_more: true, data: ids.slice(0, 2).map((id) => ({ id })) });
    const query = { limit: 2, cursor: first.next_cursor };
    expect(await callHandler(listHeldBaskets, handleList, { params, query }, call(table))).toMatchObject({
      has_more: false,
      next_cursor: null,
      data: [{ id: ids[2] }],
    });
  });

  it('fills its pages where the time of some baskets is over and the sweeper has not come by', async () => {
    const { price: paged } = await givenOnSale(table, orgId, { capacity: 100 });
    const ids: string[] = [];
    for (const days of [1, 1, 1, 3, 4]) {
      const basket = await server.opened(held({ hold_until_unix: noonUnix + days * day }));
      await server.add(basket, paged.priceId);
      ids.push(basket.id);
    }
    const input = { params: { event_id: String(paged.eventId) }, query: { limit: 2 } };
    const later = { ...call(table), nowMs: (noonUnix + 2 * day) * 1000 };
    expect(await callHandler(listHeldBaskets, handleList, input, later)).toMatchObject({
      has_more: false,
      next_cursor: null,
      data: ids.slice(3).map((id) => ({ id })),
    });
  });

  it.each([
    ['a time that is over', { hold_until_unix: noonUnix }, 'parameter_invalid hold_until_unix'],
    ['more than 60 days', { hold_until_unix: noonUnix + maxLongHoldSeconds + 1 }, 'parameter_invalid hold_until_unix'],
    ['a reason alone', { hold_until_unix: null, reason: 'x' }, 'parameter_missing hold_until_unix'],
    ['a person alone', { hold_until_unix: null, customer: group }, 'parameter_missing hold_until_unix'],
    ['a person without an address', { customer: { ...group, email: '' } }, 'parameter_invalid customer.email'],
  ])('refuses %s', async (_what, fields, refusal) => {
    const [code, param] = refusal.split(' ');
    expect(await server.open(held(fields))).toMatchObject({ status: 400, body: { error: { code, param } } });
  });

  it('needs the scope orders:write, also to see whom it is for', async () => {
    const seller = new Shop(
      table,
      orgId,
      (await givenKey(table, orgId, { keyId: '2', scopes: ['baskets:write'] })).text,
    );
    for (const without of [seller, shop]) {
      expect(await without.open(held())).toMatchObject({ status: 403, body: { error: { code: 'scope_missing' } } });
    }
    const basket = await server.opened(held({ customer: group }));
    const { body } = await seller.retrieve(basket);
    for (const name of ['reason', 'customer', 'basket_token']) expect(body).not.toHaveProperty(name);
  });

  it('is refused more tickets than there are, and an event that starts before its end', async () => {
    const basket = await server.opened(held());
    const { price: small } = await givenOnSale(table, orgId, { capacity: 5 });
    expect(await server.add(basket, small.priceId, 6)).toMatchObject({ body: { error: { code: 'sold_out' } } });
    const { eventId } = await givenEvent(table, orgId, { startUnix: until - 1 });
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    const { priceId } = await givenPrice(table, orgId, { eventId, categoryId });
    expect(await server.add(basket, priceId)).toMatchObject({
      status: 409,
      body: { error: { code: 'hold_too_long' } },
    });
    expect((await server.retrieve(basket)).body).toMatchObject({ items: [], event_id: null });
  });

  it('one that an organisation without a storefront token keeps has no token', async () => {
    await givenOrganisation(table, 'org_tokenless');
    const own = new Shop(table, 'org_tokenless', (await givenKey(table, 'org_tokenless')).text);
    const basket = await own.opened({ body: { org: 'org_tokenless', hold_until_unix: until } });
    expect((await own.retrieve(basket)).body).toMatchObject({ basket_token: null });
  });

  it('the link works with every storefront token of the organisation', async () => {
    const other = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
    const basket = await server.opened(held());
    const { basket_token } = (await server.retrieve(basket)).body;
    for (const page of [shop, other]) {
      expect((await page.retrieve({ id: basket.id, token: String(basket_token) })).status).toBe(200);
    }
  });
});

const call = (through: Table) => ({ table: through, orgId, nowMs: noonUnix * 1000 });
