import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveEvent } from '../../shared/data/events/save.ts';
import { readStock } from '../../shared/data/prices/stock.ts';
import { stockKey } from '../../shared/data/table/keys.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { Basket } from '../../shared/operations/schemas/basket.ts';
import { CheckoutOrder } from '../../shared/operations/schemas/checkout.ts';
import { formOf } from '../../tools/fixtures/contract/examples.ts';
import { add as addToItem } from '../support/audit.ts';
import { givenOnSale } from '../support/baskets.ts';
import { type Service, type ServiceResponse, startService } from '../support/service.ts';
import { longSuite } from '../support/thorough.ts';

const [orgId, otherOrg] = ['org_baskets', 'org_otherbaskets'] as const;
let service: Service;
let key: string;
let price: PriceRecord;
let foreignPrice: PriceRecord;
/**
 * The sandbox does not respond for ten seconds. The other tests run in the meantime. The responses that follow are collected at
 * once, because the sweeper settles the basket a minute later.
 */
let unanswered: { readonly basketId: string; readonly responses: ReturnType<typeof leaveUnanswered> };

beforeAll(async () => {
  service = await startService([orgId, otherOrg]);
  key = await service.newKey(orgId);
  ({ price } = await givenOnSale(service.table, orgId));
  ({ price: foreignPrice } = await givenOnSale(service.table, otherOrg));
  const basketId = await filledBasket();
  unanswered = { basketId, responses: leaveUnanswered(basketId) };
});
afterAll(() => service.stop());

const pollOptions = { timeout: 30_000, interval: 200 };
type Encoding = 'form' | 'json';
interface Call {
  readonly address?: '/v1/baskets' | '/baskets';
  readonly encoding?: Encoding;
  readonly headers?: Record<string, string>;
}

function post(path: string, fields: Record<string, unknown>, call: Call = {}): Promise<ServiceResponse> {
  const { address = '/v1/baskets', encoding = 'json', headers } = call;
  const isJson = encoding === 'json';
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  return service.call(`${address}${path}`, {
    method: 'POST',
    key,
    headers: { 'Content-Type': type, ...headers },
    body: isJson ? JSON.stringify(fields) : formOf(fields),
  });
}

async function leaveUnanswered(basketId: string) {
  const first = await checkOut(basketId, { payment_method: 'pm_card_timeout' });
  const retrieved = await retrieve(basketId);
  const repeated = await checkOut(basketId);
  const added = await add(basketId, price.priceId);
  return { first, retrieved, repeated, added };
}

const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const basketIn = ({ body }: ServiceResponse) => v.parse(Basket, body);
const errorOf = ({ status, body }: ServiceResponse) => {
  const { error } = v.parse(
    v.looseObject({ error: v.looseObject({ code: v.string(), param: v.nullable(v.string()) }) }),
    body,
  );
  return [status, error.code, error.param];
};
const open = async (): Promise<string> => basketIn(await post('', { org: orgId })).id;
const add = (basketId: string, priceId: number | string, quantity = 1) =>
  post(`/${basketId}/items`, { price_id: priceId, quantity });
const checkOut = (basketId: string, fields: Record<string, unknown> = {}, call: Call = {}) =>
  post(`/${basketId}/checkout`, { customer, payment_method: 'pm_card_visa', ...fields }, call);
const retrieve = (basketId: string) => service.call(`/baskets/${basketId}`, { key });

async function filledBasket(): Promise<string> {
  const basketId = await open();
  await add(basketId, price.priceId);
  return basketId;
}

async function available(): Promise<number | undefined> {
  return (await readStock(service.table, orgId, price.eventId)).get(price.index)?.avail;
}

describe('baskets API: open, add an item, check out', () => {
  it.each([
    ['/v1/baskets', 'form'],
    ['/v1/baskets', 'json'],
    ['/baskets', 'form'],
    ['/baskets', 'json'],
  ] as const)('a basket sells tickets at %s, as %s', async (address, encoding) => {
    const opened = await post('', { org: orgId }, { address, encoding });
    expect(opened.status).toBe(201);
    const { id } = basketIn(opened);
    const added = await post(`/${id}/items`, { price_id: String(price.priceId), quantity: 2 }, { address, encoding });
    expect([added.status, basketIn(added)]).toMatchObject([
      200,
      {
        id,
        status: 'open',
        currency: 'AUD',
        fees: 4.3,
        total: 64.3,
        items: [{ quantity: 2, unit_price: 30, total: 64.3 }],
      },
    ]);
    const paid = await checkOut(id, {}, { address, encoding });
    const order = v.parse(CheckoutOrder, paid.body);
    expect(paid.status).toBe(201);
    expect(order).toMatchObject({ status: 'confirmed', order_id: Number(id), total: 64.3, tickets: { length: 2 } });
    expect(order.customer).toMatchObject(customer);
    expect(basketIn(await retrieve(id))).toMatchObject({ status: 'checked_out', order });
    const again = await checkOut(id, {}, { address, encoding });
    expect([again.status, again.body]).toEqual([201, paid.body]);
    const other = await checkOut(id, { payment_method: 'pm_card_late' }, { address, encoding });
    expect(errorOf(other)).toEqual([409, 'basket_already_checked_out', null]);
  });

  it('check-out-basket replays the first response when a request is repeated with its Idempotency-Key', async () => {
    const basketId = await filledBasket();
    const call = { headers: { 'Idempotency-Key': 'pay-once' } };
    const first = await checkOut(basketId, {}, call);
    const second = await checkOut(basketId, {}, call);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('check-out-basket returns the existing order when the repeat has a new Idempotency-Key, as after a crash', async () => {
    const basketId = await filledBasket();
    // The order exists and no response is stored. This is the state after the sweeper has finished a checkout whose
    // process died.
    const made = await checkOut(basketId);
    const call = { headers: { 'Idempotency-Key': 'pay-after-crash' } };
    const [first, second] = [await checkOut(basketId, {}, call), await checkOut(basketId, {}, call)];
    for (const { status, body } of [first, second]) expect([status, body]).toEqual([201, made.body]);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  });
});

describe('baskets API: stock and refusals', () => {
  it('a basket returns its stock when an item is removed or the basket is cancelled', async () => {
    const before = await available();
    const basketId = await open();
    await add(basketId, price.priceId, 3);
    expect(await available()).toBe((before ?? 0) - 3);
    const remove = (priceId: number) =>
      service.call(`/v1/baskets/${basketId}/items/${priceId}`, { method: 'DELETE', key });
    expect(basketIn(await remove(price.priceId))).toMatchObject({ items: [], total: 0, event_id: null });
    expect(errorOf(await remove(price.priceId))).toEqual([404, 'resource_not_found', null]);
    await add(basketId, String(price.priceId), 2);
    const cancel = () => service.call(`/v1/baskets/${basketId}`, { method: 'DELETE', key });
    for (const response of [await cancel(), await cancel()]) {
      expect([response.status, basketIn(response).status]).toEqual([200, 'cancelled']);
    }
    expect(await available()).toBe(before);
    expect(errorOf(await add(basketId, price.priceId))).toEqual([409, 'basket_cancelled', null]);
    expect(errorOf(await checkOut(basketId))).toEqual([409, 'basket_cancelled', null]);
  });

  it('add-basket-item names what is wrong with the item, and holds no stock for it', async () => {
    const before = await available();
    expect(errorOf(await post('', { org: otherOrg }))).toEqual([400, 'resource_missing', 'org']);
    const basketId = await open();
    for (const wrong of [foreignPrice.priceId, 'nonsense', price.eventId]) {
      expect(errorOf(await add(basketId, wrong))).toEqual([400, 'resource_missing', 'price_id']);
    }
    const { price: hidden } = await givenOnSale(service.table, orgId, { showOnline: false });
    expect(errorOf(await add(basketId, hidden.priceId))).toEqual([409, 'price_not_on_sale', 'price_id']);
    const { price: few } = await givenOnSale(service.table, orgId, { capacity: 1 });
    expect(errorOf(await add(basketId, few.priceId, 2))).toEqual([409, 'sold_out', 'quantity']);
    expect(errorOf(await checkOut(basketId))).toEqual([409, 'basket_empty', null]);
    await add(basketId, price.priceId, 39);
    expect(errorOf(await add(basketId, price.priceId, 2))).toEqual([409, 'basket_full', 'quantity']);
    expect(errorOf(await add(basketId, few.priceId))).toEqual([409, 'event_mismatch', 'price_id']);
    await service.call(`/baskets/${basketId}`, { method: 'DELETE', key });
    expect(await available()).toBe(before);
  });

  it('add-basket-item and check-out-basket answer 409 event_not_on_sale for a closed event', async () => {
    const { event, price: closing } = await givenOnSale(service.table, orgId);
    const basketId = await open();
    await add(basketId, closing.priceId);
    await saveEvent(service.table, orgId, { ...event, statusId: 3 });
    expect(errorOf(await add(basketId, closing.priceId))).toEqual([409, 'event_not_on_sale', 'price_id']);
    expect(errorOf(await checkOut(basketId))).toEqual([409, 'event_not_on_sale', null]);
  });

  it('a declined checkout leaves the basket open, and each invalid checkout names its problem', async () => {
    const basketId = await filledBasket();
    expect(errorOf(await checkOut(basketId, { payment_method: 'pm_card_declined' }))).toEqual([
      402,
      'card_declined',
      'payment_method',
    ]);
    expect(errorOf(await checkOut(basketId, { payment_method: 'pm_nothing' }))).toEqual([
      400,
      'resource_missing',
      'payment_method',
    ]);
    expect(errorOf(await checkOut(basketId, { payment_method: null }))).toEqual([
      400,
      'parameter_missing',
      'payment_method',
    ]);
    for (const [field, value] of [
      ['email', 'nobody'],
      ['email', `${'ü'.repeat(130)}@x`],
      ['first_name', ' '],
      ['last_name', ''],
    ] as const) {
      const response = await checkOut(basketId, { customer: { ...customer, [field]: value } });
      expect(errorOf(response)).toEqual([400, 'parameter_invalid', `customer.${field}`]);
    }
    expect(basketIn(await retrieve(basketId))).toMatchObject({ status: 'open', total: 32.15 });
    expect((await checkOut(basketId)).status).toBe(201);
  });

  it('a basket with an unanswered payment stays held until the sweeper settles it, and an expired basket returns its stock', async () => {
    const { first, retrieved, repeated, added } = await unanswered.responses;
    expect(errorOf(first)).toEqual([503, 'payment_unknown', null]);
    expect(Number(first.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(basketIn(retrieved).status).toBe('checking_out');
    expect(errorOf(repeated)).toEqual([409, 'checkout_in_progress', null]);
    expect(errorOf(added)).toEqual([409, 'checkout_in_progress', null]);
    service.cloud.clock.advance(120);
    await expect.poll(async () => basketIn(await retrieve(unanswered.basketId)).status, pollOptions).toBe('open');
    const held = await available();
    service.cloud.clock.advance(900);
    expect(basketIn(await retrieve(unanswered.basketId))).toMatchObject({ status: 'expired', items: [], total: 0 });
    expect(errorOf(await checkOut(unanswered.basketId))).toEqual([409, 'basket_expired', null]);
    await expect.poll(available, pollOptions).toBeGreaterThan(held ?? 0);
  });
});

longSuite('audit-organisations', () => {
  it('audit-organisations finds a broken stock within its grants, names the row and publishes the number for the alarm', async () => {
    const { price: broken } = await givenOnSale(service.table, orgId);
    const { pk, sk } = stockKey(orgId, broken.eventId, broken.index);
    await addToItem(service.table, { pk, sk }, 'avail', -1);
    // The next round begins an hour after the last one.
    service.cloud.clock.advance(3_700);
    const entries = () =>
      service.logs
        .filter((line) => line.includes('audit-organisations') || line.includes('auditorganisations'))
        .filter((line) => line.includes('{'))
        .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    await expect
      .poll(entries, pollOptions)
      .toContainEqual(expect.objectContaining({ level: 'ERROR', check: 'stock', row: `${pk} / ${sk}` }));
    await expect
      .poll(entries, pollOptions)
      .toContainEqual(expect.objectContaining({ operation: 'audit-organisations', Contradictions: 1 }));
  });
});
