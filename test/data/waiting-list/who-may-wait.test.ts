import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleJoin } from '../../../functions/api/waiting-lists/join-waiting-list.ts';
import { handle as handleLeave } from '../../../functions/api/waiting-lists/leave-waiting-list.ts';
import { changeBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { joinWaitingList } from '../../../shared/operations/waiting-lists/join-waiting-list.ts';
import { leaveWaitingList } from '../../../shared/operations/waiting-lists/leave-waiting-list.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, noonUnix } from '../../support/baskets.ts';
import { callWithHeaders } from '../../support/call-operation.ts';
import { givenPhasedSale } from '../../support/phased-sale.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';
import { leftOf, list, serve, statuses } from '../../support/waiting-list.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

/** A price with two tickets, which somebody holds, and how a page and the organisation's server join its list. */
async function givenSoldOutPhases() {
  const sale = await givenPhasedSale(table);
  const { orgId, event, storefront, key } = sale;
  const { eventId } = event;
  const deps = checkoutDepsOf(table, orgId);
  const price = await givenPrice(table, orgId, {
    eventId,
    categoryId: sale.price.categoryId,
    code: 'last',
    capacity: 2,
  });
  const { basketId } = await givenBasket(deps, price, 2);
  const base = { table, nowMs: noonUnix * 1000, sourceIp: '203.0.113.7', params: { event_id: String(eventId) } };
  const joined =
    (bearer: string) =>
    (email: string, headers: Record<string, string> = {}, quantity = 1) =>
      callWithHeaders(joinWaitingList, handleJoin, {
        ...base,
        bearer,
        headers,
        body: { price_id: price.priceId, email: `${email}@example.com`, quantity },
      });
  const leave = (entryId: unknown, headers: Record<string, string>) =>
    callWithHeaders(leaveWaitingList, handleLeave, {
      ...base,
      bearer: storefront,
      headers,
      params: { ...base.params, entry_id: String(entryId) },
    });
  return { ...sale, deps, price, basketId, byPage: joined(storefront), byServer: joined(key), leave };
}

const notEligible = (missing: readonly string[]) => ({
  status: 403,
  body: { error: { code: 'not_eligible' }, phase: { missing } },
});

describe('the phases of a price that is sold out', () => {
  it('let wait who may buy now, and the server enter anybody; the offer is paid in any phase', async () => {
    const { phases, byPage, byServer, fan, typeId, price, deps, basketId } = await givenSoldOutPhases();
    const [member, other] = [await fan({ isMember: true }), await fan()];
    const [memberName = ''] = member.emailAddress.split('@');
    const phaseId = await phases.created({ requires: { membership_type_ids: [typeId] } });
    expect(await byPage('nobody')).toMatchObject(notEligible(['membership']));
    expect(await byPage('other', other.headers)).toMatchObject(notEligible(['membership']));
    expect(await leftOf(deps, price)).not.toHaveProperty('closed');
    expect(await byPage(memberName, member.headers)).toMatchObject({ status: 201, body: { status: 'waiting' } });
    expect(await byServer('guest')).toMatchObject({ status: 201 });
    expect(await byServer('other', other.headers)).toMatchObject(notEligible(['membership']));
    await phases.update(phaseId, { from_unix: noonUnix + 60 });
    expect(await byPage('late', member.headers)).toMatchObject({
      status: 403,
      body: { error: { code: 'phase_not_open' }, phase: { next_phase_from_unix: noonUnix + 60 } },
    });
    // Who is in the list stays in it, and finds the entry.
    expect(await byPage(memberName, member.headers)).toMatchObject({ status: 201, body: { status: 'waiting' } });
    const { orgId } = deps;
    await changeBasket(table, { orgId, basketId, decide: (basket) => cancelBasket(basket, deps.nowUnix) });
    await serve(deps, price);
    const [first] = await list(deps, price);
    expect(await checkOutWith(deps, Number(first?.basket_id))).toMatchObject({ outcome: 'confirmed' });
    // Both joined in the same millisecond.
    const ended = (await list(deps, price)).map(({ status }) => status);
    expect(ended.toSorted()).toEqual(['bought', 'offered']);
  });

  it('need a code that only the server can vouch for, and limit how many one person waits for', async () => {
    const { phases, codes, byPage, byServer, fan, price, deps, leave } = await givenSoldOutPhases();
    const campaign = await codes.campaign({ effect: { kind: 'none' } });
    const code_campaign_id = String(campaign.body.code_campaign_id);
    const phaseId = await phases.created({ requires: { code_campaign_id } });
    expect(await byPage('ada')).toMatchObject(notEligible(['code']));
    expect(await byServer('ada')).toMatchObject({ status: 201 });
    await phases.update(phaseId, { requires: {}, max_per_person: 1 });
    const { headers, emailAddress } = await fan();
    const [bob = ''] = emailAddress.split('@');
    expect(await byPage(bob, headers, 2)).toMatchObject({
      status: 409,
      body: { error: { code: 'max_per_person_exceeded', param: 'quantity' } },
    });
    const { body } = await byPage(bob, headers);
    expect(await leave(body.entry_id, (await fan()).headers)).toMatchObject({ status: 404 });
    expect(await leave(body.entry_id, headers)).toMatchObject({ status: 200, body: { status: 'left' } });
    expect((await statuses(deps, price)).toSorted()).toEqual(['ada waiting', `${bob} left`]);
  });

  it('count what a fan has bought in the phase, and tell nobody what an address has', async () => {
    const { phases, byPage, fan, shop, price: soldOut, ...sale } = await givenSoldOutPhases();
    await phases.created({ max_per_person: 2, price_ids: [sale.junior.priceId, soldOut.priceId] });
    const { headers, emailAddress } = await fan();
    const [own = ''] = emailAddress.split('@');
    const buy = async (quantity: number, sent: Record<string, string> = {}) => {
      const basket = await shop.opened();
      await shop.add(basket, sale.junior.priceId, quantity, { headers: sent });
      expect((await shop.checkOut(basket, { headers: sent })).status).toBe(201);
    };
    await buy(2);
    await buy(1, headers);
    const exceeded = { status: 409, body: { error: { code: 'max_per_person_exceeded' } } };
    expect(await byPage(own, headers, 2)).toMatchObject(exceeded);
    expect((await byPage(own, headers)).body).toMatchObject({ status: 'waiting' });
    // Whoever types an address does not learn what it has bought: the limit is judged when it is confirmed.
    expect((await byPage('Ada+cup')).body).toMatchObject({ status: 'unconfirmed' });
    expect((await byPage('grace', {}, 2)).body).toMatchObject({ status: 'unconfirmed' });
  });
});

it('the basket of an offer takes no more tickets from a fan, neither of its price nor of another', async () => {
  const { deps, orgId, price, junior, basketId, byServer, shop, key } = await givenSoldOutPhases();
  expect((await byServer('ada')).status).toBe(201);
  await changeBasket(table, { orgId, basketId, decide: (basket) => cancelBasket(basket, deps.nowUnix) });
  await serve(deps, price);
  const [offer] = await list(deps, price);
  const id = String(offer?.basket_id);
  const { body } = await new Shop(table, orgId, key).retrieve({ id, token: undefined });
  const link = { id, token: String(body.basket_token) };
  const held = { status: 409, body: { error: { code: 'basket_held' } } };
  expect(await shop.add(link, price.priceId)).toMatchObject(held);
  expect(await shop.add(link, junior.priceId)).toMatchObject(held);
  expect(await shop.updateLine(link, 1, { quantity: 2 })).toMatchObject(held);
  expect((await shop.checkOut(link)).status).toBe(201);
});
