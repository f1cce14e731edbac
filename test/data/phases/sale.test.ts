import { beforeAll, describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { addItem, checkOutWith, checkoutDepsOf, noonUnix } from '../../support/baskets.ts';
import { givenPhasedSale } from '../../support/phased-sale.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const hour = 3_600;
const now = { from_unix: noonUnix - hour, until_unix: noonUnix + hour };
const notOpen = { status: 403, body: { error: { code: 'phase_not_open' } } };
const notEligible = (...missing: string[]) => ({
  status: 403,
  body: { error: { code: 'not_eligible' }, phase: { missing } },
});

describe('a sale in phases', () => {
  it('sells a price only in its phases, says when the next one opens, and leaves other prices as they are', async () => {
    const { phases, shopAt, price, junior, event } = await givenPhasedSale(table);
    const own = { price_ids: [price.priceId] };
    await phases.created({ title: 'Members first', from_unix: noonUnix, until_unix: noonUnix + hour, ...own });
    await phases.created({
      title: 'Everyone',
      from_unix: noonUnix + 2 * hour,
      until_unix: noonUnix + 3 * hour,
      ...own,
    });
    for (const [unix, next] of [
      [noonUnix - 1, noonUnix],
      [noonUnix + hour, noonUnix + 2 * hour],
      [noonUnix + 3 * hour, null],
    ] as const) {
      const shop = shopAt(unix);
      const basket = await shop.opened();
      const refused = await shop.add(basket, price.priceId);
      expect(refused).toMatchObject({ ...notOpen, body: { phase: { next_phase_from_unix: next, missing: [] } } });
      expect((await shop.add(basket, junior.priceId)).status).toBe(200);
      expect((await shop.prices(event.eventId)).body.data).toMatchObject([
        { price_id: price.priceId, phase_id: null, next_phase_from_unix: next },
        { price_id: junior.priceId, phase_id: null, next_phase_from_unix: null },
      ]);
    }
    const open = shopAt(noonUnix);
    expect((await open.add(await open.opened(), price.priceId)).status).toBe(200);
    expect((await open.prices(event.eventId)).body.data).toMatchObject([
      { phase_id: expect.any(Number), next_phase_from_unix: noonUnix + 2 * hour },
      {},
    ]);
  });

  it('judges the phase again at the checkout: one that is over, and one that came after the tickets', async () => {
    const { phases, shop, shopAt, price } = await givenPhasedSale(table);
    const basket = await shop.opened();
    expect((await shop.add(basket, price.priceId, 2)).status).toBe(200);
    const phase = await phases.created({ from_unix: noonUnix + hour });
    expect(await shop.checkOut(basket)).toMatchObject({
      ...notOpen,
      body: { phase: { next_phase_from_unix: noonUnix + hour } },
    });
    await phases.update(phase, { from_unix: noonUnix - hour, until_unix: noonUnix + 60 });
    expect(await shopAt(noonUnix + 60).checkOut(basket)).toMatchObject(notOpen);
    expect((await shop.updateLine(basket, 1, { quantity: 3 })).status).toBe(200);
    expect((await shop.checkOut(basket)).status).toBe(201);
  });

  it('sells to members: the signed-in fan at once, everyone else at the checkout', async () => {
    const { phases, shop, price, typeId, fan, event } = await givenPhasedSale(table);
    await phases.created({ ...now, title: 'Members first', requires: { membership_type_ids: [typeId] } });
    await phases.created({ title: 'Everyone', from_unix: now.until_unix });
    const [member, other] = [await fan({ isMember: true }), await fan()];
    const basket = await shop.opened();
    expect(await shop.add(basket, price.priceId, 1, other)).toMatchObject({
      ...notEligible('membership'),
      body: {
        error: { message: expect.stringContaining('"Everyone" opens at 2026-11-07T13:00:00Z') },
        phase: { title: 'Members first', phase_id: expect.any(Number), next_phase_from_unix: now.until_unix },
      },
    });
    // Nobody knows yet who buys.
    expect((await shop.add(basket, price.priceId)).status).toBe(200);
    expect(await shop.updateLine(basket, 1, { quantity: 2 }, other)).toMatchObject(notEligible('membership'));
    for (const buyer of [{}, other])
      expect(await shop.checkOut(basket, buyer)).toMatchObject(notEligible('membership'));
    expect((await shop.add(basket, price.priceId, 1, member)).status).toBe(200);
    expect((await shop.checkOut(basket, member)).status).toBe(201);
    const seen = async (headers: Record<string, string>) =>
      ((await shop.prices(event.eventId, undefined, headers)).body.data as object[])[0];
    expect(await seen(member.headers)).toMatchObject({ eligible: true, missing: [] });
    expect(await seen(other.headers)).toMatchObject({ eligible: false, missing: ['membership'] });
    expect(await seen({})).not.toHaveProperty('eligible');
  });

  it('sells to customers with enough points, and to baskets with a code of the campaign', async () => {
    const { phases, codes, shop, price, fan, event } = await givenPhasedSale(table);
    const campaign = await codes.campaign({ effect: { kind: 'none' } });
    const id = String(campaign.body.code_campaign_id);
    await codes.codes(id, { code: 'PRESALE' });
    const requires = { code_campaign_id: id, attribute: { name: 'points', at_least: 100 } };
    await phases.created({ ...now, requires });
    const [rich, poor] = [await fan({ points: 100 }), await fan({ points: 99.5 })];
    const basket = await shop.opened();
    expect(await shop.add(basket, price.priceId)).toMatchObject(notEligible('code'));
    expect(await shop.add(basket, price.priceId, 1, poor)).toMatchObject(notEligible('code', 'attribute'));
    await shop.applyCode(basket, 'presale');
    expect(await shop.add(basket, price.priceId, 1, poor)).toMatchObject(notEligible('attribute'));
    expect((await shop.add(basket, price.priceId, 1, rich)).status).toBe(200);
    for (const buyer of [{}, poor]) expect(await shop.checkOut(basket, buyer)).toMatchObject(notEligible('attribute'));
    await shop.removeCode(basket);
    expect(await shop.checkOut(basket, rich)).toMatchObject(notEligible('code'));
    await shop.applyCode(basket, 'presale');
    expect((await shop.checkOut(basket, rich)).status).toBe(201);
    const seen = async (code: string | undefined, headers: Record<string, string>) =>
      ((await shop.prices(event.eventId, code, headers)).body.data as object[])[0];
    expect(await seen('PRESALE', rich.headers)).toMatchObject({ eligible: true });
    expect(await seen(undefined, poor.headers)).toMatchObject({ eligible: false, missing: ['code', 'attribute'] });
  });

  it('does not apply to what the organisation keeps for somebody', async () => {
    const { phases, orgId, price } = await givenPhasedSale(table);
    await phases.created({ from_unix: noonUnix + hour });
    const deps = checkoutDepsOf(table, orgId);
    const longHold = { untilUnix: noonUnix + 86_400, reason: null, customer: null };
    const { basketId } = await openBasket(table, { ...deps, longHold });
    expect((await addItem(deps, basketId, price)).outcome).toBe('changed');
    expect((await checkOutWith(deps, basketId)).outcome).toBe('confirmed');
  });

  it('lets a membership in the basket open the phase of its type', async () => {
    const { phases, shop, price, typeId } = await givenPhasedSale(table);
    await phases.created({ ...now, requires: { membership_type_ids: [typeId] } });
    const basket = await shop.opened();
    const membership = await shop.add(basket, 0, 1, { body: { membership_type_id: typeId, quantity: 1 } });
    expect(membership.status).toBe(200);
    expect((await shop.add(basket, price.priceId)).status).toBe(200);
    expect((await shop.checkOut(basket)).status).toBe(201);
  });
});
