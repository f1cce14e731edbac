import { beforeAll, describe, expect, it } from 'vitest';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { givenOnSale } from '../../support/baskets.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { type OpenBasket, Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_lines';
const login = new IdentityProvider('https://login.example.com');
let table: Table;
let price: PriceRecord;
let junior: PriceRecord;
let shop: Shop;
let server: Shop;

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await saveProvider(table, orgId, login.asProvider({ providerId: 'login' }));
  ({ price } = await givenOnSale(table, orgId, { capacity: 1_000 }));
  junior = await priceLike({});
  shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
  server = new Shop(table, orgId, (await givenKey(table, orgId)).text);
});

const priceLike = (changes: Parameters<typeof givenPrice>[2] | object): Promise<PriceRecord> =>
  givenPrice(table, orgId, { eventId: price.eventId, categoryId: price.categoryId, ...changes });
const ada = { first_name: 'Ada', last_name: 'Lovelace' };
const byron = { first_name: 'Byron' };
const add = (basket: OpenBasket, of: PriceRecord, quantity: number, holders?: unknown) =>
  shop.add(basket, of.priceId, quantity, { body: { price_id: of.priceId, quantity, holders } });
const availableOf = async ({ eventId, index }: PriceRecord): Promise<number> =>
  (await readStock(table, orgId, eventId)).get(index)?.avail ?? 0;
/** Held or sold. */
const takenOf = async (of: PriceRecord): Promise<number> => 1_000 - (await availableOf(of));

describe('the lines of a basket', () => {
  it('adding a price again increases its line, as long as neither has holders', async () => {
    const basket = await shop.opened();
    await add(basket, price, 1);
    await add(basket, price, 2);
    await add(basket, price, 2, [ada]);
    expect((await add(basket, price, 1)).body).toMatchObject({
      items: [
        { line_id: 1, kind: 'ticket', price_id: price.priceId, membership_type_id: null, quantity: 4, holders: [] },
        { line_id: 2, quantity: 2, holders: [{ ...ada, membership_member_id: null }], seats: [], adjustments: [] },
      ],
    });
  });

  it('remove-basket-item removes all lines of a price and returns all of their tickets', async () => {
    const before = await takenOf(junior);
    const basket = await shop.opened();
    await add(basket, junior, 1);
    await add(basket, junior, 2, [ada]);
    await add(basket, price, 1);
    expect(await takenOf(junior)).toBe(before + 3);
    expect((await shop.remove(basket, junior.priceId)).body).toMatchObject({ items: [{ line_id: 3 }] });
    expect(await takenOf(junior)).toBe(before);
  });

  it('remove-basket-line removes one line; its id is not used again, and the last one empties the basket', async () => {
    const basket = await shop.opened();
    await add(basket, junior, 1);
    await add(basket, junior, 2, [ada]);
    const before = await takenOf(junior);
    expect((await shop.removeLine(basket, 2)).body).toMatchObject({ items: [{ line_id: 1, quantity: 1 }] });
    expect(await takenOf(junior)).toBe(before - 2);
    expect((await add(basket, price, 1)).body).toMatchObject({ items: [{ line_id: 1 }, { line_id: 3 }] });
    await shop.removeLine(basket, 1);
    expect((await shop.removeLine(basket, 3)).body).toMatchObject({ items: [], event_id: null, currency: null });
  });

  it('update-basket-line takes and returns tickets by the quantity, and replaces the holders', async () => {
    const basket = await shop.opened();
    await add(basket, junior, 1);
    const before = await takenOf(junior);
    expect((await shop.updateLine(basket, 1, { quantity: 4, holders: [ada, byron] })).body).toMatchObject({
      items: [{ line_id: 1, quantity: 4, holders: [ada, { ...byron, last_name: null }], total: 4 * 32.15 }],
    });
    expect(await takenOf(junior)).toBe(before + 3);
    expect((await shop.updateLine(basket, 1, { quantity: 2 })).body).toMatchObject({
      items: [{ quantity: 2, holders: [{}, {}] }],
    });
    expect(await takenOf(junior)).toBe(before + 1);
    expect((await shop.updateLine(basket, 1, { holders: null })).body).toMatchObject({ items: [{ holders: [] }] });
  });

  it('a line of another basket is not found, and nothing changes', async () => {
    const mine = await shop.opened();
    const theirs = await shop.opened();
    await add(theirs, price, 1);
    await add(theirs, junior, 1);
    await add(mine, price, 1);
    const missing = { status: 404, body: { error: { code: 'resource_not_found' } } };
    for (const lineId of [2, 0, 'x', '9007199254740993', '__proto__']) {
      expect(await shop.updateLine(mine, lineId, { quantity: 2 })).toMatchObject(missing);
      expect(await shop.removeLine(mine, lineId)).toMatchObject(missing);
    }
    expect((await shop.retrieve(theirs)).body).toMatchObject({ items: [{ quantity: 1 }, { quantity: 1 }] });
  });

  it('a longer list of holders than tickets is refused by its name, and nothing is held', async () => {
    const basket = await shop.opened();
    const [before, family] = [await takenOf(price), await priceLike({ ticketsIncluded: 4 })];
    const invalid = { status: 400, body: { error: { code: 'parameter_invalid', param: 'holders' } } };
    expect(await add(basket, price, 1, [ada, byron])).toMatchObject(invalid);
    expect((await shop.retrieve(basket)).body).toMatchObject({ items: [] });
    expect(await takenOf(price)).toBe(before);
    expect((await add(basket, family, 1, [ada, byron, {}, {}])).status).toBe(200);
    expect(await shop.updateLine(basket, 1, { holders: [{}, {}, {}, {}, {}] })).toMatchObject(invalid);
    await add(basket, price, 2, [ada, byron]);
    const { body } = await shop.updateLine(basket, 2, { quantity: 1 });
    expect(body).toMatchObject(invalid.body);
    // The request has no holders, so the message speaks of the line.
    expect(body).toMatchObject({
      error: { message: expect.stringMatching(/^A line with 2 holders .* would have 1\./) },
    });
    expect((await shop.updateLine(basket, 2, { quantity: 1, holders: [byron] })).status).toBe(200);
  });

  it('a larger quantity follows the rules of adding; a smaller one is always accepted', async () => {
    const few = await priceLike({ capacity: 3, maxPerOrder: 3 });
    const basket = await shop.opened();
    await add(basket, few, 2);
    await add(basket, few, 1, [ada]);
    const update = async (quantity: number) => (await shop.updateLine(basket, 1, { quantity })).body;
    expect(await update(3)).toMatchObject({ error: { code: 'max_per_order_exceeded', param: 'quantity' } });
    // An API key has no limit per address.
    const others = await server.opened();
    await server.add(others, (await priceLike({ capacity: 2 })).priceId);
    const updateOther = async (lineId: number, body: unknown) => (await server.updateLine(others, lineId, body)).body;
    expect(await updateOther(1, { quantity: 3 })).toMatchObject({ error: { code: 'sold_out' } });
    await server.add(others, price.priceId, 20);
    expect(await updateOther(2, { quantity: 40 })).toMatchObject({ error: { code: 'basket_full' } });
    expect(await updateOther(1, {})).toMatchObject({ error: { code: 'parameter_missing' } });
    expect(await update(1)).toMatchObject({ items: [{ quantity: 1 }, { quantity: 1 }] });
  });
});

describe('the holders of tickets', () => {
  const orderOf = async (basket: OpenBasket) => {
    const { status, body } = await shop.checkOut(basket);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { body, order: await readOrderWithTickets(table, orgId, Number(body.order_id)) };
  };

  it('give the tickets their names; without holders the first ticket has the name of the buyer', async () => {
    const basket = await shop.opened();
    await add(basket, price, 2);
    await add(basket, junior, 3, [byron, {}]);
    const { body } = await orderOf(basket);
    const names = [{ ticket_name: 'Ada Lovelace' }, { ticket_name: null }, { ticket_name: 'Byron' }, {}, {}];
    expect(body).toMatchObject({ tickets: [...names.slice(0, 3), { ticket_name: null }, { ticket_name: null }] });
    // The names are only in the order from now on.
    expect((await shop.retrieve(basket)).body).toMatchObject({
      status: 'checked_out',
      items: [
        { quantity: 2, holders: [] },
        { line_id: 2, quantity: 3, holders: [] },
      ],
    });
  });

  it('a price that requires names is not sold without them, and nothing is charged', async () => {
    const named = await priceLike({ holderNames: 'required' });
    const basket = await shop.opened();
    await add(basket, named, 2, [ada]);
    expect(await shop.checkOut(basket)).toMatchObject({
      status: 400,
      body: { error: { code: 'holder_missing', type: 'invalid_request_error' } },
    });
    expect((await shop.retrieve(basket)).body).toMatchObject({ status: 'open' });
    await shop.updateLine(basket, 1, { holders: [ada, byron] });
    expect((await orderOf(basket)).body).toMatchObject({ tickets: [{ ticket_name: 'Ada Lovelace' }, {}] });
  });

  it('a holder who is named by the membership alone has the name of the member, also where names are required', async () => {
    const [grace, alan] = [
      aMember({ firstName: 'Grace', lastName: 'Hopper' }),
      aMember({ firstName: 'Alan', lastName: null }),
    ];
    await givenMembers(table, orgId, [grace, alan]);
    const named = await priceLike({ holderNames: 'required' });
    const basket = await server.opened();
    const holders = [{ membership_member_id: grace.memberId }, { ...ada, membership_member_id: alan.memberId }];
    const body = { price_id: named.priceId, quantity: 2, holders };
    expect((await server.add(basket, named.priceId, 2, { body })).body).toMatchObject({
      items: [{ holders: [{ first_name: 'Grace', last_name: 'Hopper', membership_member_id: grace.memberId }, ada] }],
    });
    await server.updateLine(basket, 1, { holders: [...holders.slice(1), { membership_member_id: alan.memberId }] });
    const { status, body: order } = await server.checkOut(basket);
    expect({ status, order }).toMatchObject({
      status: 201,
      order: { tickets: [{ ticket_name: 'Ada Lovelace' }, { ticket_name: 'Alan' }] },
    });
  });

  it('a price without names takes a holder by the membership, and keeps no name', async () => {
    const grace = aMember({ firstName: 'Grace', lastName: 'Hopper' });
    await givenMembers(table, orgId, [grace]);
    const nameless = await priceLike({ holderNames: 'none' });
    const body = { price_id: nameless.priceId, quantity: 1, holders: [{ membership_member_id: grace.memberId }] };
    expect((await server.add(await server.opened(), nameless.priceId, 1, { body })).body).toMatchObject({
      items: [{ holders: [{ first_name: null, last_name: null, membership_member_id: grace.memberId }] }],
    });
  });

  it('a price without names refuses them', async () => {
    const nameless = await priceLike({ holderNames: 'none' });
    const basket = await shop.opened();
    expect(await add(basket, nameless, 1, [ada])).toMatchObject({ status: 400, body: { error: { param: 'holders' } } });
    expect((await add(basket, nameless, 1)).status).toBe(200);
  });

  it('a storefront token may name only memberships of the linked fan; an API key vouches', async () => {
    const fan = await givenCustomer(table, orgId);
    const [theirs, others] = [aMember({ userId: fan.userId }), aMember()];
    await givenMembers(table, orgId, [theirs, others]);
    const identity = { issuer: login.issuer, subject: 'ada' };
    await saveLink(table, orgId, { ...identity, userId: fan.userId, linkedUnix: 0 });
    const addAs = (subject: string, memberId: number) => {
      const body = { price_id: price.priceId, quantity: 2, holders: holder(memberId) };
      return shop.add(basket, price.priceId, 2, { body, headers: { 'X-SSO-Token': login.token(subject) } });
    };
    const signedIn = { 'X-SSO-Token': login.token('ada') };
    const holder = (memberId: number) => [{}, { membership_member_id: memberId }];
    const basket = await shop.opened();
    const refused = {
      status: 403,
      body: { error: { code: 'membership_not_proven', param: 'holders[1].membership_member_id' } },
    };
    const before = await takenOf(price);
    expect(await add(basket, price, 2, holder(theirs.memberId))).toMatchObject(refused);
    expect(await addAs('ada', others.memberId)).toMatchObject(refused);
    expect(await addAs('mallory', theirs.memberId)).toMatchObject(refused);
    expect(await takenOf(price)).toBe(before);
    expect((await addAs('ada', theirs.memberId)).status).toBe(200);
    const update = (memberId: number, headers = {}) =>
      shop.updateLine(basket, 1, { holders: holder(memberId) }, { headers });
    expect(await update(others.memberId, signedIn)).toMatchObject(refused);
    expect((await update(theirs.memberId, signedIn)).status).toBe(200);
    const ofServer = (memberId: number) => server.updateLine(basket, 1, { holders: holder(memberId) });
    expect(await ofServer(999_999)).toMatchObject({
      status: 400,
      body: { error: { code: 'resource_missing', param: 'holders[1].membership_member_id' } },
    });
    expect((await ofServer(others.memberId)).status).toBe(200);
    const { order } = await orderOf(basket);
    expect(order?.tickets.map(({ holderMemberId }) => holderMemberId)).toEqual([null, others.memberId]);
  });
});
