import { beforeAll, describe, expect, it } from 'vitest';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { memberTicketsPartition } from '../../../shared/data/table/keys.ts';
import { queryAll } from '../../../shared/data/table/query.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { add, findingsOf } from '../../support/audit.ts';
import { checkoutDepsOf, noonUnix, prepareWith } from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { givenPhasedSale } from '../../support/phased-sale.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const exceeded = { status: 409, body: { error: { code: 'max_per_person_exceeded' } } };

/** A phase in which one person may buy three tickets, and what counts the tickets of all persons. */
async function givenLimit(changes: object = {}) {
  const sale = await givenPhasedSale(table);
  const { orgId, shop, price, event } = sale;
  const phaseId = await sale.phases.created({ max_per_person: 3, ...changes });
  const buyerOf = (email: string) => ({ email, first_name: 'Ada', last_name: 'Lovelace' });
  const buy = async (
    quantity: number,
    email: string,
    { headers = {}, priceId = price.priceId, card = 'visa' } = {},
  ) => {
    const basket = await shop.opened();
    const added = await shop.add(basket, priceId, quantity);
    if (added.status !== 200) return added;
    const body = { customer: buyerOf(email), payment_method: `pm_card_${card}` };
    return shop.checkOut(basket, { body, headers });
  };
  const counts = async () => {
    const pk = memberTicketsPartition(orgId, event.eventId);
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    };
    return (await queryAll(table, query)).map(({ pk: _, sk, ...counted }) => ({ owner: String(sk), counted }));
  };
  return { ...sale, phaseId, buy, counts, deps: checkoutDepsOf(table, orgId) };
}

describe('max_per_person of a phase', () => {
  it('counts over all prices and orders of an address, whatever its letters and its tag', async () => {
    const { buy, counts, junior, orgId } = await givenLimit();
    expect(await buy(4, 'ada@example.com')).toMatchObject(exceeded);
    expect((await buy(2, 'ada@example.com')).status).toBe(201);
    expect(await buy(2, 'Ada+cup@Example.com')).toMatchObject(exceeded);
    expect(await buy(2, 'ada@example.com', { priceId: junior.priceId })).toMatchObject(exceeded);
    expect((await buy(1, 'ADA+cup@example.com', { priceId: junior.priceId })).status).toBe(201);
    expect(await buy(1, 'ada@example.com')).toMatchObject(exceeded);
    expect((await buy(3, 'grace@example.com')).status).toBe(201);
    const counted = await counts();
    expect(counted.map((one) => one.counted)).toEqual([{ f1: 3 }, { f1: 3 }]);
    expect(JSON.stringify(counted)).not.toMatch(/ada|grace/i);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('counts a linked fan by the customer, whatever address is typed', async () => {
    const { buy, counts, fan } = await givenLimit();
    const [one, other] = [await fan(), await fan()];
    expect((await buy(2, 'a@example.com', one)).status).toBe(201);
    expect(await buy(2, 'b@example.com', one)).toMatchObject(exceeded);
    expect((await buy(2, 'a@example.com', other)).status).toBe(201);
    expect((await buy(3, 'a@example.com')).status).toBe(201);
    expect((await counts()).map(({ owner }) => owner.slice(0, 1)).toSorted()).toEqual(['a', 'u', 'u']);
  });

  it('tells a linked fan in the price list and when tickets are added, with those of other orders', async () => {
    const { buy, fan, shop, price, junior, event, phases, phaseId } = await givenLimit({ max_per_person: null });
    const { headers } = await fan();
    const prices = async () => (await shop.prices(event.eventId, undefined, headers)).body.data;
    expect(await prices()).toMatchObject([{ eligible: true }, { eligible: true }]);
    await phases.update(phaseId, { max_per_person: 3, price_ids: [price.priceId] });
    expect((await buy(2, 'ada@example.com', { headers })).status).toBe(201);
    expect(await prices()).toMatchObject([{ eligible: true, missing: [] }, { eligible: true }]);
    const basket = await shop.opened();
    expect(await shop.add(basket, price.priceId, 2, { headers })).toMatchObject(exceeded);
    expect((await shop.add(basket, price.priceId, 1, { headers })).status).toBe(200);
    expect(await shop.updateLine(basket, 1, { quantity: 2 }, { headers })).toMatchObject(exceeded);
    expect((await shop.add(basket, junior.priceId, 4, { headers })).status).toBe(200);
    expect((await buy(1, 'ada@example.com', { headers })).status).toBe(201);
    expect(await prices()).toMatchObject([
      { eligible: false, missing: ['max_per_person'] },
      { eligible: true, missing: [] },
    ]);
  });

  it('counts what a linked fan has reserved with a prepared payment once when more is added', async () => {
    const { fan, shop, price, counts } = await givenLimit();
    const { headers } = await fan();
    const basket = await shop.opened();
    expect((await shop.add(basket, price.priceId, 2, { headers })).status).toBe(200);
    expect((await shop.prepare(basket, { headers })).status).toBe(200);
    expect(await counts()).toMatchObject([{ counted: { f1: 2 } }]);
    expect(await shop.add(basket, price.priceId, 2, { headers })).toMatchObject(exceeded);
    expect((await shop.add(basket, price.priceId, 1, { headers })).status).toBe(200);
    expect((await shop.checkOut(basket, { headers })).status).toBe(201);
    expect(await counts()).toMatchObject([{ counted: { f1: 3 } }]);
  });

  it('refuses a basket that exceeds it alone when tickets are added, and counts each phase on its own', async () => {
    const { buy, shop, shopAt, phases, phaseId, price, orgId } = await givenLimit();
    const basket = await shop.opened();
    expect((await shop.add(basket, price.priceId, 3)).status).toBe(200);
    expect(await shop.add(basket, price.priceId)).toMatchObject(exceeded);
    expect(await shop.updateLine(basket, 1, { quantity: 4 })).toMatchObject(exceeded);
    expect((await shop.checkOut(basket)).status).toBe(201);
    expect(await buy(1, 'ada@example.com')).toMatchObject(exceeded);
    await phases.update(phaseId, { until_unix: noonUnix + 60 });
    await phases.created({ from_unix: noonUnix + 60, max_per_person: 1 });
    const later = shopAt(noonUnix + 60);
    const second = await later.opened();
    await later.add(second, price.priceId);
    expect((await later.checkOut(second)).status).toBe(201);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('begins anew in a phase that replaces a deleted one, whose number is not used again', async () => {
    const { buy, counts, phases, phaseId, orgId } = await givenLimit();
    expect((await buy(3, 'ada@example.com')).status).toBe(201);
    await phases.remove(phaseId);
    expect((await phases.created({ max_per_person: 2 })) - phaseId).toBe(1);
    expect(await buy(3, 'ada@example.com')).toMatchObject(exceeded);
    expect((await buy(2, 'ada@example.com')).status).toBe(201);
    expect(await counts()).toMatchObject([{ counted: { f1: 3, f2: 2 } }]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('holds for concurrent checkouts of one person', async () => {
    const { buy, counts } = await givenLimit();
    const results = await Promise.all(Array.from({ length: 6 }, () => buy(1, 'ada@example.com')));
    expect(results.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409]);
    expect(await counts()).toMatchObject([{ counted: { f1: 3 } }]);
  });

  it('is given back by a declined payment, a waiting one that ends, a refund and a cancellation, once', async () => {
    const { buy, counts, deps, shop, price, orgId } = await givenLimit();
    const countIs = async (f1: number) => expect(await counts()).toMatchObject([{ counted: { f1 } }]);
    expect((await buy(3, 'ada@example.com', { card: 'declined' })).status).toBe(402);
    await countIs(0);
    const basket = await shop.opened();
    await shop.add(basket, price.priceId, 2);
    await prepareWith(deps, Number(basket.id));
    await countIs(2);
    expect(await buy(2, 'ada@example.com')).toMatchObject(exceeded);
    await shop.cancel(basket);
    await countIs(0);
    const { body } = await buy(3, 'ada@example.com');
    const orderId = Number(body.order_id);
    await refundOrder(deps, { orderId, tickets: [orderId + 1] });
    await countIs(2);
    expect(await findingsOf(table, orgId)).toEqual([]);
    await cancelOrRefundTickets(deps, orderId, { tickets: [orderId + 2, orderId + 3], to: 'cancelled' });
    await countIs(0);
    deps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(deps);
    await countIs(0);
  });

  it('is shown by the audit if a count differs', async () => {
    const { buy, counts, orgId, event } = await givenLimit();
    await buy(2, 'ada@example.com');
    const [{ owner } = { owner: '' }] = await counts();
    await add(table, { pk: memberTicketsPartition(orgId, event.eventId), sk: owner }, 'f1', 1);
    expect(await findingsOf(table, orgId)).toMatchObject([{ check: 'member-tickets' }]);
  });

  it('leaves no hash of a person who is erased, and the count of others with the same address', async () => {
    const { buy, counts, orgId } = await givenLimit();
    const [one, two] = [await buy(1, 'ada@example.com'), await buy(2, 'ada@example.com')];
    await eraseBuyer(table, { orgId, orderId: Number(one.body.order_id), nowUnix: noonUnix });
    expect(await counts()).toMatchObject([{ counted: { f1: 2 } }]);
    const placed = await readOrderWithTickets(table, orgId, Number(one.body.order_id));
    expect(placed?.order.personReservation).toBeUndefined();
    expect(await findingsOf(table, orgId)).toEqual([]);
    await eraseBuyer(table, { orgId, orderId: Number(two.body.order_id), nowUnix: noonUnix });
    expect(await counts()).toEqual([]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('counts nothing back when an order whose buyer is erased is refunded: no count falls below 0', async () => {
    const { buy, counts, deps, orgId } = await givenLimit();
    const [one, two] = [await buy(1, 'ada@example.com'), await buy(2, 'ada@example.com')];
    await eraseBuyer(table, { orgId, orderId: Number(one.body.order_id), nowUnix: noonUnix });
    await refundOrder(deps, { orderId: Number(one.body.order_id), tickets: 'all' });
    expect(await counts()).toMatchObject([{ counted: { f1: 2 } }]);
    await eraseBuyer(table, { orgId, orderId: Number(two.body.order_id), nowUnix: noonUnix });
    await refundOrder(deps, { orderId: Number(two.body.order_id), tickets: 'all' });
    expect(await counts()).toEqual([]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});
