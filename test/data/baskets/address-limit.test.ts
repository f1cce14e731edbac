import { beforeAll, describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { clientAddressId } from '../../../shared/http/auth/client-address.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import {
  addItem,
  checkoutDepsOf,
  countedFor,
  givenBasket,
  givenOnSale,
  noonUnix,
  statusOf,
} from '../../support/baskets.ts';
import { crash, crashAfter, crashBefore, faultyTable } from '../../support/faults/faulty-table.ts';
import { fieldsOf, rowsOf } from '../../support/fields-of.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { type OpenBasket, Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_holds';
const sourceIp = '203.0.113.7';
const address = clientAddressId(sourceIp);
let table: Table;
let price: PriceRecord;

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ price } = await givenOnSale(table, orgId, { capacity: 10_000 }));
});

async function newShop(changes: Parameters<typeof givenStorefrontToken>[2] = {}) {
  const { text, tokenId } = await givenStorefrontToken(table, orgId, changes);
  return {
    text,
    shop: new Shop(table, orgId, text, { sourceIp }),
    held: () => countedFor(table, orgId, { tokenId, address }),
  };
}

const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };

/** After every basket that was opened before has expired. */
const later = { nowMs: (noonUnix + basketSeconds) * 1000 };

async function filled(shop: Shop, tickets: number): Promise<OpenBasket> {
  const basket = await shop.opened();
  expect((await shop.add(basket, price.priceId, tickets)).status).toBe(200);
  return basket;
}

function sweepLater(): Promise<unknown> {
  return sweepBaskets(Object.assign(checkoutDepsOf(table, orgId), { nowUnix: noonUnix + basketSeconds }));
}

const refused = { status: 409, body: { error: { code: 'hold_limit_reached', param: 'quantity' } } };

describe('the limit of held tickets per client address', () => {
  it('is exact when many baskets of one address take tickets at the same time', async () => {
    const { shop, held } = await newShop();
    const baskets = await Promise.all(Array.from({ length: 12 }, () => shop.opened()));
    const added = await Promise.all(baskets.map((basket) => shop.add(basket, price.priceId, 5)));
    // A request that lost too many races is a 503 and has changed nothing; the buyer repeats it.
    const again = await Promise.all(
      baskets.filter((_, index) => added[index]?.status === 503).map((basket) => shop.add(basket, price.priceId, 5)),
    );
    const statuses = [...added, ...again].map(({ status }) => status).filter((status) => status !== 503);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(statuses.filter((status) => status === 409)).toHaveLength(4);
    expect(await held()).toBe(40);
    const [first] = baskets;
    expect(await shop.add(first as OpenBasket, price.priceId)).toMatchObject(refused);
  });

  it('counts what is released, cancelled, expired and sold no longer', async () => {
    const { shop, held } = await newShop();
    const [removed, cancelled, sold, expired] = [
      await shop.opened(),
      await shop.opened(),
      await shop.opened(),
      await shop.opened(),
    ];
    for (const basket of [removed, cancelled, sold, expired]) {
      expect((await shop.add(basket, price.priceId, 10)).status).toBe(200);
    }
    expect(await shop.add(removed, price.priceId)).toMatchObject(refused);
    await shop.remove(removed, price.priceId);
    expect(await held()).toBe(30);
    await shop.cancel(cancelled);
    await shop.cancel(cancelled);
    expect(await held()).toBe(20);
    expect((await shop.checkOut(sold)).status).toBe(201);
    expect((await shop.checkOut(sold)).status).toBe(201);
    expect(await held()).toBe(10);
    const deps = checkoutDepsOf(table, orgId);
    deps.nowUnix += basketSeconds;
    await sweepBaskets(deps);
    await sweepBaskets(deps);
    expect(await held()).toBe(0);
  });

  it('judges the time, not the sweeper: baskets that have expired hold nothing', async () => {
    const { shop, held } = await newShop();
    const old = await Promise.all([10, 15, 15].map(async (tickets) => filled(shop, tickets)));
    const basket = await shop.opened(later);
    expect((await shop.add(basket, price.priceId, 15, later)).status).toBe(200);
    expect(await held()).toBe(15);
    expect((await shop.add(basket, price.priceId, 25, later)).status).toBe(200);
    expect(await held()).toBe(40);
    expect(await shop.add(basket, price.priceId, 1, later)).toMatchObject({ status: 409 });
    for (const expired of old) {
      expect((await shop.retrieve(expired, later)).body).toMatchObject({ status: 'expired', items: [] });
    }
    await sweepLater();
    expect(await held()).toBe(40);
  });

  it('counts an expired basket that is being paid, and one whose expiry was extended', async () => {
    const { shop, held } = await newShop();
    const [paying, open] = [await filled(shop, 30), await filled(shop, 10)];
    const body = { customer, payment_method: 'pm_card_threeDSecure2Required' };
    expect((await shop.checkOut(paying, { body })).status).toBe(402);
    const basket = await shop.opened(later);
    expect((await shop.add(basket, price.priceId, 11, later)).status).toBe(409);
    expect((await shop.retrieve(open, later)).body).toMatchObject({ status: 'expired' });
    expect((await shop.add(basket, price.priceId, 10, later)).status).toBe(200);
    expect(await held()).toBe(40);
  });

  it('is exact when many baskets take what expired ones held, while the sweeper releases them too', async () => {
    const { shop, held } = await newShop();
    const old = await Promise.all(Array.from({ length: 8 }, () => filled(shop, 5)));
    const baskets = await Promise.all(Array.from({ length: 12 }, () => shop.opened(later)));
    const take = (basket: OpenBasket) => shop.add(basket, price.priceId, 5, later);
    const [added] = await Promise.all([Promise.all(baskets.map(take)), sweepLater(), sweepLater()]);
    const statuses = new Map(baskets.map((basket, index) => [basket, added[index]?.status ?? 0]));
    // A request that lost too many races is a 503 and has changed nothing; the buyer repeats it.
    while ([...statuses.values()].includes(503)) {
      for (const [basket, status] of statuses) if (status === 503) statuses.set(basket, (await take(basket)).status);
    }
    expect([...statuses.values()].toSorted()).toEqual([...Array(8).fill(200), ...Array(4).fill(409)]);
    expect(await held()).toBe(40);
    const shown = await Promise.all([...old, ...baskets].map((basket) => shop.retrieve(basket, later)));
    const inBaskets = shown.flatMap(({ body }) => rowsOf(fieldsOf(body).items)).map(({ quantity }) => quantity);
    expect(inBaskets).toEqual(Array(8).fill(5));
  });

  it('does not refuse what the sweeper makes room for between the refusal and the look at it', async () => {
    const { shop, held } = await newShop();
    await filled(shop, 40);
    const sweptOnRefusal = faultyTable(table, async (send) => {
      try {
        await send();
      } catch (refusal) {
        await sweepLater();
        throw refusal;
      }
    });
    const added = await shop.add(await shop.opened(later), price.priceId, 40, { ...later, table: sweptOnRefusal });
    expect(added.status).toBe(200);
    expect(await held()).toBe(40);
  });

  it('is that of the token, and each address has its own: ten addresses hold at most ten times as many', async () => {
    const { text, shop } = await newShop({ maxHeld: 3 });
    expect(await shop.add(await shop.opened(), price.priceId, 4)).toMatchObject({
      ...refused,
      body: { error: { message: expect.stringContaining('At most 3 tickets') } },
    });
    const taken = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const attacker = new Shop(table, orgId, text, { sourceIp: `198.51.100.${index}` });
        let tickets = 0;
        for (let basket = 0; basket < 4; basket += 1) {
          const { status } = await attacker.add(await attacker.opened(), price.priceId);
          tickets += status === 200 ? 1 : 0;
        }
        return tickets;
      }),
    );
    expect(taken).toEqual(Array(10).fill(3));
  });

  it('belongs to the address that opened the basket, also if the buyer moves to another network', async () => {
    const { text, shop, held } = await newShop();
    const basket = await shop.opened();
    const elsewhere = new Shop(table, orgId, text, { sourceIp: '192.0.2.1' });
    await elsewhere.add(basket, price.priceId, 2);
    expect(await held()).toBe(2);
    await elsewhere.cancel(basket);
    expect(await held()).toBe(0);
  });

  it('does not count the baskets of an API key', async () => {
    const deps = checkoutDepsOf(table, orgId);
    const { basketId } = await givenBasket(deps, price, 40);
    expect(await statusOf(deps, basketId)).toBe('open');
  });

  it('a crash before or after the transaction leaves the count equal to what the baskets hold', async () => {
    const openedFrom = { tokenId: 'crash', address };
    const deps = checkoutDepsOf(table, orgId);
    const { basketId } = await openBasket(table, { ...deps, openedFrom });
    await expect(addItem({ ...deps, table: crashBefore(table) }, basketId, price, 2)).rejects.toBe(crash);
    expect(await countedFor(table, orgId, openedFrom)).toBe(0);
    await expect(addItem({ ...deps, table: crashAfter(table) }, basketId, price, 2)).rejects.toBe(crash);
    expect(await countedFor(table, orgId, openedFrom)).toBe(2);
    deps.nowUnix += basketSeconds;
    expect((await sweepBaskets({ ...deps, table: crashAfter(table) })).failed).toBeGreaterThan(0);
    await sweepBaskets(deps);
    expect(await countedFor(table, orgId, openedFrom)).toBe(0);
  });
});

describe('max_per_order of a price', () => {
  it('is the most that one basket contains of it, with a storefront token as with an API key', async () => {
    const { shop } = await newShop();
    const limited = (await givenOnSale(table, orgId, { maxPerOrder: 4 })).price;
    const basket = await shop.opened();
    expect((await shop.add(basket, limited.priceId, 3)).status).toBe(200);
    expect(await shop.add(basket, limited.priceId, 2)).toMatchObject({
      status: 409,
      body: { error: { code: 'max_per_order_exceeded', param: 'quantity' } },
    });
    expect((await shop.add(basket, limited.priceId)).body).toMatchObject({ items: [{ quantity: 4 }] });
  });
});
