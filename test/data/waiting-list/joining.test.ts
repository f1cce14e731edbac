import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handlePrices } from '../../../functions/api/events/list-event-prices.ts';
import { handle as handleJoin } from '../../../functions/api/waiting-lists/join-waiting-list.ts';
import { handle as handleLeave } from '../../../functions/api/waiting-lists/leave-waiting-list.ts';
import { handle as handleList } from '../../../functions/api/waiting-lists/list-waiting-list.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listEventPrices } from '../../../shared/operations/events/list-event-prices.ts';
import { joinWaitingList } from '../../../shared/operations/waiting-lists/join-waiting-list.ts';
import { leaveWaitingList } from '../../../shared/operations/waiting-lists/leave-waiting-list.ts';
import { listWaitingList } from '../../../shared/operations/waiting-lists/list-waiting-list.ts';
import { givenKey } from '../../../tools/fixtures/auth.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { givenBasket, givenOnSale, newCheckoutDeps, noonUnix } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { callWithHeaders } from '../../support/call-operation.ts';
import { givenSeatedEvent } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import {
  announced,
  audited,
  givenSoldOut,
  join,
  leave,
  leftOf,
  list,
  serve,
  statuses,
} from '../../support/waiting-list.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

/** The page of a shop and the organisation's server, over the whole pipeline. */
async function givenShop() {
  const sold = await givenSoldOut(table, 1);
  const { deps, price } = sold;
  const server = (await givenKey(table, deps.orgId)).text;
  const page = (await givenStorefrontToken(table, deps.orgId)).text;
  const base = { table, nowMs: noonUnix * 1000, sourceIp: '203.0.113.7' };
  const params = { event_id: String(price.eventId) };
  const body = (changes: object) => ({ price_id: price.priceId, email: 'ada@example.com', ...changes });
  return {
    ...sold,
    server,
    page,
    join: (bearer: string, changes: object = {}) =>
      callWithHeaders(joinWaitingList, handleJoin, { ...base, bearer, params, body: body(changes) }),
    leave: (bearer: string, entry_id: unknown, entry_token?: unknown) =>
      callWithHeaders(leaveWaitingList, handleLeave, {
        ...base,
        bearer,
        params: { ...params, entry_id: String(entry_id) },
        query: entry_token === undefined ? {} : { entry_token: String(entry_token) },
      }),
    list: (bearer: string) => callWithHeaders(listWaitingList, handleList, { ...base, bearer, params }),
  };
}

describe('join-waiting-list', () => {
  it('answers the entry, closes the stock, and announces it without a token', async () => {
    const { deps, price } = await givenSoldOut(table, 1);
    const entry = await join(deps, price, 'Ada', { quantity: 1, accept_less: true });
    expect(entry).toMatchObject({
      entry_id: expect.stringMatching(/^wle_/),
      price_id: price.priceId,
      quantity: 1,
      accept_less: true,
      email: 'Ada@example.com',
      status: 'waiting',
      created: deps.nowUnix,
      basket_id: null,
      offer_expires_at: null,
    });
    expect(await leftOf(deps, price)).toMatchObject({ closed: true });
    expect(await announced(deps)).toEqual(['joined Ada']);
    const params = { event_id: String(price.eventId) };
    const call = { table, orgId: deps.orgId };
    expect(await callHandler(listEventPrices, handlePrices, { params }, call)).toMatchObject({
      data: [{ status: 'sold_out' }],
    });
  });

  it('is once for an address and a price, whatever its case and tag, and idempotent (Hi.Events 1085)', async () => {
    const { deps, price } = await givenSoldOut(table, 1);
    const first = await join(deps, price, 'ada@example.com');
    deps.nowUnix += 60;
    for (const again of ['ada@example.com', 'ADA@Example.com', 'ada+work@example.com']) {
      expect(await join(deps, price, again)).toEqual(first);
    }
    await expect(join(deps, price, 'ada', { accept_less: true })).rejects.toMatchObject({
      details: [{ code: 'already_waiting', param: 'email' }],
    });
    expect(await statuses(deps, price)).toEqual(['ada waiting']);
    expect(await announced(deps)).toEqual(['joined ada']);
  });

  it('puts who has left at the end of the line again', async () => {
    const { deps, price } = await givenSoldOut(table, 1);
    const ada = await join(deps, price, 'ada');
    await join(deps, price, 'bob');
    expect(await leave(deps, ada)).toMatchObject({ status: 'left' });
    expect(await leave(deps, ada)).toMatchObject({ status: 'left' });
    await serve(deps, price);
    expect(await leftOf(deps, price)).toMatchObject({ closed: true });
    deps.nowUnix += 1;
    expect(await join(deps, price, 'ada')).toMatchObject({ status: 'waiting', created: deps.nowUnix });
    expect(await statuses(deps, price)).toEqual(['bob waiting', 'ada waiting']);
    expect(await audited(deps, price)).toEqual([]);
  });

  it.each([
    ['a price that is not sold out', 'not_sold_out', {}, {}],
    ['more than the price has', 'parameter_invalid', { capacity: 1 }, { quantity: 2 }],
    ['more than an order may have', 'max_per_order_exceeded', { capacity: 0, maxPerOrder: 1 }, { quantity: 2 }],
    ['a price that is not active', 'price_not_on_sale', { capacity: 0, status: 'inactive' }, {}],
    ['a sale that has ended', 'price_not_on_sale', { capacity: 0, availableUntilUnix: noonUnix }, {}],
    ['a sale in its last day', 'waiting_list_closed', { capacity: 0, availableUntilUnix: noonUnix + 86_400 }, {}],
  ] as const)('refuses %s, and closes nothing: %s', async (_what, code, price, wish) => {
    const deps = newCheckoutDeps(table);
    const sold = await givenOnSale(table, deps.orgId, { capacity: 5, ...price });
    const { avail = 0 } = (await leftOf(deps, sold.price)) ?? {};
    if (code !== 'not_sold_out' && avail > 0) await givenBasket(deps, sold.price, avail);
    await expect(join(deps, sold.price, 'ada', wish)).rejects.toMatchObject({ code });
    expect(await leftOf(deps, sold.price)).not.toHaveProperty('closed');
    expect(await list(deps, sold.price)).toEqual([]);
  });

  it('refuses numbered seats and a price of another event', async () => {
    const deps = newCheckoutDeps(table);
    const { price: seated } = await givenSeatedEvent(table, deps.orgId);
    await expect(join(deps, seated, 'ada')).rejects.toMatchObject({ code: 'waiting_list_not_offered' });
    const { price } = await givenOnSale(table, deps.orgId, { capacity: 0 });
    await expect(join(deps, { ...price, eventId: seated.eventId }, 'ada')).rejects.toMatchObject({
      details: [{ code: 'resource_missing', param: 'price_id' }],
    });
  });
});

describe('the token of an entry', () => {
  it('lets the person leave with one click, and nobody else (pretix 837)', async () => {
    const { deps, price, page, server, ...shop } = await givenShop();
    const { status, body: joined } = await shop.join(server);
    expect(status).toBe(201);
    expect(joined.entry_token).toMatch(/^gl_entry_/);
    const others = await shop.join(server, { email: 'bob@example.com' });
    for (const wrong of [undefined, 'gl_entry_x', others.body.entry_token]) {
      expect(await shop.leave(page, joined.entry_id, wrong)).toMatchObject({ status: 404 });
    }
    expect((await shop.leave(page, joined.entry_id, joined.entry_token)).body).toMatchObject({ status: 'left' });
    expect((await shop.leave(server, others.body.entry_id)).body).toMatchObject({ status: 'left' });
    await serve(deps, price);
    expect(await leftOf(deps, price)).not.toHaveProperty('closed');
  });

  it('is shown to the server, and to no page that knows an address', async () => {
    const { page, server, ...shop } = await givenShop();
    const { body: first } = await shop.join(server);
    expect((await shop.join(page)).body).toMatchObject({ entry_id: first.entry_id, entry_token: null });
    expect((await shop.join(server)).body).toMatchObject({ entry_token: first.entry_token });
    expect((await shop.list(server)).body).toMatchObject({ data: [{ entry_token: first.entry_token }] });
    expect(await shop.list(page)).toMatchObject({ status: 403 });
  });

  it('lets an entry that nobody has confirmed be removed', async () => {
    const { deps, price, page, server, ...shop } = await givenShop();
    const { body: asked } = await shop.join(page);
    expect((await shop.leave(server, asked.entry_id)).body).toMatchObject({ status: 'left' });
    expect(await audited(deps, price)).toEqual([]);
    // The server enters the person whom it knows.
    await shop.join(page, { email: 'bob@example.com' });
    expect((await shop.join(server, { email: 'bob@example.com' })).body).toMatchObject({ status: 'waiting' });
  });
});
