import { beforeAll, describe, expect, it } from 'vitest';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { maxWrongCodes } from '../../../shared/domain/baskets/codes.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { orderWithTickets } from '../../../shared/mappers/order.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkoutDepsOf, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { CodeOffice } from '../../support/code-office.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
let organisations = 0;
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const twenty = { kind: 'percent', value: 20 };

/** A shop with an adult price of 30.00 and fees of 2.15, and the office of its organisation. */
async function givenShop() {
  organisations += 1;
  const orgId = `org_codes${organisations}`;
  await givenOrganisation(table, orgId);
  const { event, price } = await givenOnSale(table, orgId, { capacity: 100 });
  const { text } = await givenStorefrontToken(table, orgId);
  const office = new CodeOffice(table, orgId, (await givenKey(table, orgId)).text);
  const shop = (sourceIp = '203.0.113.7') => new Shop(table, orgId, text, { sourceIp });
  const junior = await givenPrice(table, orgId, {
    eventId: event.eventId,
    categoryId: price.categoryId,
    code: 'junior',
    priceMinor: 1_000,
  });
  return { orgId, event, price, junior, office, shop: shop(), shopAt: shop };
}

async function filled(shop: Shop, { priceId }: PriceRecord, quantity = 1) {
  const basket = await shop.opened();
  await shop.add(basket, priceId, quantity);
  return basket;
}

describe('a code in a basket', () => {
  it.each([
    [{ kind: 'percent', value: 20 }, 6],
    [{ kind: 'percent', value: 12.55 }, 3.76],
    [{ kind: 'percent', value: 100 }, 30],
    [{ kind: 'amount', value: 5 }, 5],
    [{ kind: 'amount', value: 500 }, 30],
    [{ kind: 'fixed_price', value: 19.9 }, 10.1],
    [{ kind: 'fixed_price', value: 0 }, 30],
  ])('%j reduces each ticket, and no fee', async (effect, less) => {
    const { office, shop, price } = await givenShop();
    const code = await office.word('Early 10', { effect });
    const basket = await filled(shop, price, 2);
    const { body } = await shop.applyCode(basket, 'early10');
    expect(body).toMatchObject({
      code: { code, reduction: 2 * less, unused_because: null },
      items: [{ unit_price: 30, adjustments: [{ reason: 'code', source: 'EARLY10', amount: -less }], fees: 4.3 }],
    });
    expect(body.total).toBeCloseTo(2 * (30 - less) + 4.3, 10);
    const { body: order } = await shop.checkOut(basket);
    expect(order).toMatchObject({ total: body.total, tickets: [{ price: 30, discount: less }, { discount: less }] });
    const kept = await readOrderWithTickets(table, office.orgId, Number(basket.id));
    expect(kept && orderWithTickets(kept, undefined)).toMatchObject({ code });
  });

  it('reduces what is added later, says why it does nothing, and leaves with its reductions', async () => {
    const { office, shop, price, junior } = await givenShop();
    await office.word('ADULTS', { effect: { kind: 'fixed_price', value: 35 }, price_ids: [price.priceId] });
    await office.word('JUNIORS', { effect: twenty, price_ids: [junior.priceId] });
    const basket = await shop.opened();
    expect((await shop.applyCode(basket, ' juni ors ')).body).toMatchObject({
      code: { code: 'JUNIORS', reduction: 0, unused_because: 'basket_empty' },
    });
    expect((await shop.add(basket, price.priceId)).body).toMatchObject({
      code: { reduction: 0, unused_because: 'no_matching_item' },
    });
    expect((await shop.add(basket, junior.priceId, 3)).body).toMatchObject({
      code: { reduction: 6, unused_because: null },
      items: [{ adjustments: [] }, { adjustments: [{ amount: -2 }] }],
    });
    expect((await shop.applyCode(basket, 'adults')).body).toMatchObject({
      code: { code: 'ADULTS', reduction: 0, unused_because: 'no_reduction' },
    });
    expect((await shop.removeCode(basket)).body).toMatchObject({
      code: null,
      items: [{ adjustments: [] }, { adjustments: [] }],
    });
    expect((await shop.removeCode(basket)).status).toBe(200);
  });

  it('is unknown before it starts (Hi.Events 972), and expired, deleted, used up or for something else with a word of its own', async () => {
    const { office, shop, price, junior } = await givenShop();
    await office.word('SOON', { effect: twenty, from_unix: noonUnix + 1 });
    await office.word('LATE', { effect: twenty, until_unix: noonUnix });
    await office.word('ONCE', { effect: twenty, uses_per_code: 1 });
    await office.word('OTHER', { effect: twenty, price_ids: [junior.priceId] });
    const { price: elsewhere } = await givenOnSale(table, office.orgId);
    await office.word('ELSEWHERE', { effect: twenty, event_ids: [elsewhere.eventId] });
    await office.word('GONE', { effect: twenty });
    await office.deleteCode('gone');
    expect((await shop.applyCode(await filled(shop, price), 'ONCE')).status).toBe(200);
    const basket = await filled(shop, price);
    for (const [code, status, expected] of [
      ['NOSUCH', 400, 'code_unknown'],
      ['x', 400, 'code_unknown'],
      ['SOON', 400, 'code_unknown'],
      ['LATE', 409, 'code_expired'],
      ['GONE', 409, 'code_expired'],
      ['ONCE', 409, 'code_used_up'],
      ['OTHER', 409, 'code_not_applicable'],
      ['ELSEWHERE', 409, 'code_not_applicable'],
    ] as const) {
      expect(await shop.applyCode(basket, code), code).toMatchObject({ status, body: { error: { code: expected } } });
    }
    expect((await shop.retrieve(basket)).body).toMatchObject({ code: null, total: 32.15 });
  });

  it('gives its use back when the basket ends unpaid or takes another code, and not with a refund', async () => {
    const { office, shop, price, orgId } = await givenShop();
    await office.word('ONCE', { effect: twenty, uses_per_code: 1 });
    await office.word('MANY', { effect: twenty });
    const usesAre = async (uses: number) => expect(await office.usesOf('ONCE')).toBe(uses);
    const first = await filled(shop, price);
    for (let time = 0; time < 2; time += 1) expect((await shop.applyCode(first, 'ONCE')).status).toBe(200);
    await usesAre(1);
    expect(await findingsOf(table, orgId)).toEqual([]);
    await shop.applyCode(first, 'MANY');
    await usesAre(0);
    await shop.applyCode(first, 'ONCE');
    await shop.removeCode(first);
    await usesAre(0);
    await shop.applyCode(first, 'ONCE');
    await shop.cancel(first);
    await usesAre(0);
    const second = await filled(shop, price);
    await shop.applyCode(second, 'ONCE');
    const deps = Object.assign(checkoutDepsOf(table, orgId), { nowUnix: noonUnix + basketSeconds });
    await sweepBaskets(deps);
    await usesAre(0);
    const third = await filled(shop, price);
    await shop.applyCode(third, 'ONCE');
    expect((await shop.checkOut(third)).status).toBe(201);
    await office.refund(third.id);
    await usesAre(1);
    expect(await office.usesOf('MANY')).toBeNull();
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('reveals prices that nobody sees or buys without it (Hi.Events 220, 32)', async () => {
    const { office, shop, price, junior, event } = await givenShop();
    await office.word('SECRET', { effect: { kind: 'none' }, reveals_price_ids: [junior.priceId] });
    const idsOf = async (code?: string) =>
      ((await shop.prices(event.eventId, code)).body.data as { price_id: number }[]).map(({ price_id }) => price_id);
    expect(await idsOf()).toEqual([price.priceId]);
    expect(await idsOf('secret')).toEqual([price.priceId, junior.priceId]);
    const basket = await shop.opened();
    expect(await shop.add(basket, junior.priceId)).toMatchObject({
      status: 400,
      body: { error: { code: 'resource_missing', param: 'price_id' } },
    });
    await shop.applyCode(basket, 'SECRET');
    expect((await shop.add(basket, junior.priceId)).body).toMatchObject({
      code: { reduction: 0, unused_because: null },
    });
    for (const refused of [await shop.removeCode(basket)]) {
      expect(refused).toMatchObject({ status: 409, body: { error: { code: 'code_needed' } } });
    }
    expect((await shop.checkOut(basket)).status).toBe(201);
    await office.update('SECRET', { reveals_price_ids: [] });
    expect(await idsOf()).toEqual([price.priceId, junior.priceId]);
  });
});

describe('guessing codes', () => {
  it(`ends after ${maxWrongCodes} wrong ones in a basket, also for a right one`, async () => {
    const { office, shop, price } = await givenShop();
    await office.word('RIGHT', { effect: twenty });
    const basket = await filled(shop, price);
    for (let guess = 0; guess < maxWrongCodes; guess += 1) {
      expect((await shop.applyCode(basket, `WRONG${guess}`)).status).toBe(400);
    }
    for (const code of ['WRONG', 'RIGHT']) {
      expect(await shop.applyCode(basket, code)).toMatchObject({
        status: 429,
        body: { error: { code: 'code_attempts_exceeded' } },
      });
    }
    expect((await shop.checkOut(basket)).status).toBe(201);
  });

  it('compares no more codes when they come at once: in a basket', async () => {
    const { office, shop, price } = await givenShop();
    await office.word('RIGHT', { effect: twenty });
    const basket = await filled(shop, price);
    const codes = Array.from({ length: 60 }, (_, guess) => (guess === 59 ? 'RIGHT' : `WRONG${guess}`));
    const answers = await Promise.all(codes.map((code) => shop.applyCode(basket, code)));
    expect(answers.filter(({ status }) => status === 400).length).toBe(maxWrongCodes);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(59 - maxWrongCodes);
  });

  it('compares no more codes when they come at once: from an address', async () => {
    const { office, shop, shopAt, event } = await givenShop();
    await office.word('RIGHT', { effect: twenty });
    const codes = Array.from({ length: 300 }, (_, guess) => (guess === 299 ? 'RIGHT' : `WRONG${guess}`));
    const answers = await Promise.all(codes.map((code) => shop.prices(event.eventId, code)));
    expect(answers.filter(({ status }) => status === 400).length).toBe(100);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(199);
    expect((await shopAt('203.0.113.8').prices(event.eventId, 'RIGHT')).status).toBe(200);
  });

  it('counts in a basket that waits for its payment, too', async () => {
    const { shop, price } = await givenShop();
    const basket = await filled(shop, price);
    expect((await shop.prepare(basket)).status).toBe(200);
    const statuses: number[] = [];
    for (let guess = 0; guess <= maxWrongCodes; guess += 1) {
      statuses.push((await shop.applyCode(basket, `WRONG${guess}`)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: maxWrongCodes }, () => 400), 429]);
  });

  it('does not count right ones, however many come at once', async () => {
    const { office, shop, price, event } = await givenShop();
    await office.word('RIGHT', { effect: twenty });
    const basket = await filled(shop, price);
    for (let round = 0; round <= maxWrongCodes; round += 1) {
      expect((await shop.applyCode(basket, 'RIGHT')).status).toBe(200);
    }
    for (let round = 0; round < 3; round += 1) {
      const listed = await Promise.all(Array.from({ length: 50 }, () => shop.prices(event.eventId, 'RIGHT')));
      expect(new Set(listed.map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect((await shop.applyCode(basket, 'WRONG')).status).toBe(400);
    expect((await shop.applyCode(basket, 'RIGHT')).status).toBe(200);
  });

  it('ends after 100 wrong ones in a minute from an address, in baskets and price lists, and goes on for others', async () => {
    const { office, shop, shopAt, price, event } = await givenShop();
    await office.word('RIGHT', { effect: twenty });
    for (let guess = 0; guess < 99; guess += 1) {
      expect((await shop.prices(event.eventId, `WRONG${guess}`)).status).toBe(400);
    }
    const basket = await filled(shop, price);
    expect((await shop.applyCode(basket, 'WRONG')).status).toBe(400);
    for (const refused of [await shop.applyCode(basket, 'RIGHT'), await shop.prices(event.eventId, 'RIGHT')]) {
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
    }
    expect((await shop.prices(event.eventId)).status).toBe(200);
    const other = shopAt('203.0.113.8');
    expect((await other.applyCode(await filled(other, price), 'RIGHT')).status).toBe(200);
  });
});
