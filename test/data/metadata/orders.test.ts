import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ordersSection } from '../../../admin/person/orders.ts';
import { handle as list } from '../../../functions/api/orders/list-orders.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { eraseBasketBuyer } from '../../../shared/domain/baskets/erase-buyer.ts';
import { listOrders } from '../../../shared/operations/orders/list-orders.ts';
import { anOrder, someSpan } from '../../../tools/fixtures/orders.ts';
import { basketOf, claimed } from '../../support/basket-rules.ts';
import { callHandler } from '../../support/call-handler.ts';
import { announcedOf } from '../../support/feed.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { givenMetadataWorld, type MetadataWorld } from '../../support/metadata-world.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();

let table: Table;
let world: MetadataWorld;
beforeAll(async () => {
  ({ table } = await createTestTable());
  world = await givenMetadataWorld(table, 'org_sold');
});

const found = (orgId: string, query: Record<string, unknown>) =>
  callHandler(listOrders, list, { query }, { table, orgId });

const buyer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Byron' };
const labels = { metadata: { seat_color: 'red', crm: 'A-1' }, external_reference: 'Cart #4711/ä' };

/** A basket of the organisation with a ticket. */
async function givenBasket(sent: object = labels, { orgId, call, made, price }: MetadataWorld = world) {
  const opened = await made('open-basket', { body: { org: orgId, ...sent } });
  const params = { basket_id: String(opened.id) };
  await made('add-basket-item', { params, body: { price_id: price.price_id, quantity: 1 } });
  const pay = (changes = {}) =>
    call('check-out-basket', { params, body: { customer: buyer, payment_method: 'pm_card_visa' }, ...changes });
  return { opened, params, pay };
}

async function rowsOf(orgId: string) {
  const rows = [...(await everyRow(table)).values()];
  return rows.filter(({ pk }) => pk.split('#')[1] === orgId && !/^(AUTH|PUB|REQ|RQL)/.test(pk));
}

describe('metadata and external_reference of a basket', () => {
  it('are shown to an API key, and the order, its lists and its events have them', async () => {
    const { opened, params, pay } = await givenBasket();
    expect(opened).toMatchObject(labels);
    expect(await world.made('retrieve-basket', { params })).toMatchObject(labels);
    const { body: checkedOut } = await pay();
    expect(checkedOut).toMatchObject(labels);
    expect(await world.made('retrieve-basket', { params })).toMatchObject({ ...labels, order: labels });
    const ofOrder = { order_id: String(checkedOut.order_id) };
    expect(await world.made('retrieve-order', { params: ofOrder })).toMatchObject(labels);
    expect(await found(world.orgId, {})).toMatchObject({ data: [{ order_id: checkedOut.order_id, ...labels }, {}] });
    const completed = (await announcedOf(table, world.orgId)).filter(({ type }) => type === 'order.completed');
    expect(completed.at(-1)).toMatchObject({ data: { order: labels } });
  });

  it('are {} and null if nobody said anything, and no row has an attribute of them', async () => {
    const none = { metadata: {}, external_reference: null };
    const own = await givenMetadataWorld(table, 'org_silent');
    const { opened, pay } = await givenBasket({ metadata: {}, external_reference: null }, own);
    expect(opened).toMatchObject(none);
    expect((await pay()).body).toMatchObject(none);
    const rows = (await rowsOf(own.orgId)).filter(({ pk }) => /^(BSK|ORD)#/.test(pk));
    expect(rows.length).toBeGreaterThan(1);
    const names = ['metadata', 'meta', 'externalReference', 'xref', 'by5pk'];
    expect(rows.flatMap((row) => names.filter((name) => name in row))).toEqual([]);
  });

  it.each([
    ['a reference of 101 characters', { external_reference: '🎟'.repeat(101) }, 'external_reference'],
    ['an empty reference', { external_reference: '' }, 'external_reference'],
    ['a reference with a control character', { external_reference: 'a\u0000' }, 'external_reference'],
    ['a value of 251 characters', { metadata: { a: 'x'.repeat(251) } }, 'metadata[a]'],
    ['21 pairs', { metadata: Object.fromEntries([...'abcdefghijklmnopqrstu'].map((key) => [key, 'x'])) }, 'metadata'],
    [
      '2,049 bytes',
      { metadata: Object.fromEntries([...'abcdefghi'].map((key) => [key, 'x'.repeat(228)])) },
      'metadata',
    ],
  ])('with %s is refused by name, and no basket is opened', async (_what, sent, param) => {
    const before = (await rowsOf(world.orgId)).length;
    expect(await world.call('open-basket', { body: { org: world.orgId, ...sent } })).toMatchObject({
      status: 400,
      body: { error: { param } },
    });
    expect(await rowsOf(world.orgId)).toHaveLength(before);
  });

  it.each(['metadata', 'external_reference'] as const)('a page can neither set nor see %s', async (param) => {
    const { orgId, call, page } = world;
    const before = (await rowsOf(orgId)).length;
    const sent = { org: orgId, [param]: labels[param] };
    expect(await call('open-basket', { ...page, body: sent })).toMatchObject({
      status: 400,
      body: { error: { code: 'parameter_unknown', param } },
    });
    expect(await rowsOf(orgId)).toHaveLength(before);
  });

  it('a page that pays a basket of the organisation does not see them, and its order has them', async () => {
    const { orgId, call, made, page, price } = world;
    const kept = { ...labels, hold_until_unix: Date.UTC(2026, 10, 9) / 1000, external_reference: 'held-1' };
    const opened = await made('open-basket', { body: { org: orgId, ...kept } });
    const params = { basket_id: String(opened.id) };
    const { basket_token: token } = await made('retrieve-basket', { params });
    const asPage = { ...page, params, headers: { ...page.headers, 'X-Basket-Token': String(token) } };
    const hidden = expect.not.stringMatching(/metadata|external_reference|held-1|seat_color/);
    await made('add-basket-item', { params, body: { price_id: price.price_id, quantity: 1 } });
    const answers = [
      await call('retrieve-basket', asPage),
      await call('check-out-basket', { ...asPage, body: { customer: buyer, payment_method: 'pm_card_visa' } }),
      await call('retrieve-basket', asPage),
    ];
    for (const { status, body } of answers)
      expect({ isDone: status < 300, text: JSON.stringify(body) }).toEqual({ isDone: true, text: hidden });
    expect(await found(orgId, { external_reference: 'held-1' })).toMatchObject({
      data: [{ order_id: answers[1]?.body.order_id, metadata: labels.metadata }],
    });
  });

  it('of an ended basket the metadata is gone: it may say who did not buy', async () => {
    const { params } = await givenBasket();
    const ended = await world.made('cancel-basket', { params });
    expect(ended).toMatchObject({ status: 'cancelled', metadata: {}, external_reference: labels.external_reference });
    const row = (await rowsOf(world.orgId)).find(({ basketId }) => basketId === Number(params.basket_id));
    expect(row).not.toHaveProperty('metadata');
  });
});

describe('set-order-metadata', () => {
  it('changes the order by its id or UUID and not the basket, and later events have it', async () => {
    const { params, pay } = await givenBasket();
    const { body: placed } = await pay();
    for (const order_id of [String(placed.order_id), String(placed.order_uuid)]) {
      const body = { metadata: { crm: null, [`of_${order_id.length}`]: 'x' } };
      expect((await world.call('set-order-metadata', { params: { order_id }, body })).status).toBe(200);
    }
    const after = { seat_color: 'red', of_16: 'x', of_36: 'x' };
    const ofOrder = { order_id: String(placed.order_id) };
    expect(await world.made('cancel-order', { params: ofOrder })).toMatchObject({ metadata: after });
    const [cancelled] = (await announcedOf(table, world.orgId)).filter(({ type }) => type === 'order.cancelled');
    expect(cancelled).toMatchObject({ data: { order: { metadata: after } } });
    const basket = await world.made('retrieve-basket', { params });
    expect(basket).toMatchObject({ metadata: labels.metadata, order: { metadata: after } });
  });

  it('sets updated_at, so that a copy by updated_since gets it, and the same again changes nothing', async () => {
    const { orgId, call, made } = await givenMetadataWorld(table, 'org_synced');
    const order = anOrder();
    await writeOrder(table, orgId, order);
    const set = { params: { order_id: String(order.orderId) }, body: { metadata: { crm: '1' } } };
    const { updated_at } = await made('set-order-metadata', set);
    const changed = await found(orgId, { updated_since: Number(updated_at) - 1 });
    expect(changed).toMatchObject({ data: [{ order_id: order.orderId, updated_at, metadata: { crm: '1' } }] });
    expect((await call('set-order-metadata', set)).body).toMatchObject({ updated_at });
  });

  it('of another organisation, or of nothing, is a 404', async () => {
    const other = await givenMetadataWorld(table, 'org_elsewhere');
    for (const order_id of [String(other.order.orderId), '7', 'nothing']) {
      expect((await world.call('set-order-metadata', { params: { order_id }, body: { metadata: {} } })).status).toBe(
        404,
      );
    }
  });
});

describe('the erasure of the buyer', () => {
  it('removes the metadata from the order, its basket and the lists, and keeps the external_reference', async () => {
    const own = await givenMetadataWorld(table, 'org_erased');
    const { params, pay } = await givenBasket({ ...labels, metadata: { note: 'xanthippe' } }, own);
    const { body: placed } = await pay();
    const userId = Number(fieldsOf(placed.customer).user_id);
    const customer = { ...own.customer, userId, emailAddress: buyer.email };
    const person = {
      table,
      orgId: own.orgId,
      customer,
      addresses: [buyer.email],
      sharing: new Map([[buyer.email, [customer]]]),
      requestId: 'cli_1',
      clock: { nowMs: () => someSpan * 1000 },
    };
    expect(await ordersSection.collect(person)).toMatchObject([{ ...labels, metadata: { note: 'xanthippe' } }]);
    expect(await ordersSection.erase(person)).toBe(1);
    // Events and stored answers are sections of their own.
    const left = (await rowsOf(own.orgId)).filter(({ pk }) => !/^(FEED|IDM)#/.test(pk));
    expect(JSON.stringify(left)).not.toContain('xanthippe');
    const shown = { metadata: {}, external_reference: labels.external_reference };
    expect(await own.made('retrieve-basket', { params })).toMatchObject({ ...shown, order: shown });
    const listed = await found(own.orgId, { external_reference: labels.external_reference });
    expect(listed).toMatchObject({ data: [{ ...shown, order_id: placed.order_id, first_name: null }] });
  });

  it('reaches a payment in progress and a basket that is kept for the buyer, and no other basket', () => {
    const metadata = { note: 'xanthippe' };
    const longHold = {
      reason: 'For Ada',
      customer: { emailAddress: buyer.email, firstName: 'Ada', lastName: 'Byron' },
    };
    const basket = { ...claimed, longHold, metadata, externalReference: 'cart-1' };
    const erased = (isPerson: boolean, isLongHoldFor: boolean) =>
      basketOf(eraseBasketBuyer(basket, { userId: 7, isPerson: () => isPerson, isLongHoldFor: () => isLongHoldFor }));
    expect(erased(false, false)).toBe(basket);
    for (const after of [erased(true, false), erased(false, true), erased(true, true)]) {
      expect(after).toMatchObject({ status: 'checking_out', externalReference: 'cart-1' });
      expect(after).not.toHaveProperty('metadata');
    }
  });
});
