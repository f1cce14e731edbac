import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPool, givenPrice } from '../../../tools/fixtures/events.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { ada, addItem, givenBasket, givenOnSale, givenTerrace, newCheckoutDeps } from '../../support/baskets.ts';
import { CodeOffice } from '../../support/code-office.ts';
import { givenPhasedSale } from '../../support/phased-sale.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';
import { audited, join, leftOf, serve, statuses } from '../../support/waiting-list.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

/**
 * What users of other systems reported, those that are not in the titles of the tests of their feature:
 *
 * | issue | scenario |
 * |---|---|
 * | Hi.Events 972, 220, 32 | codes/codes.test.ts |
 * | Hi.Events 1072, 1085 | waiting-list/crashes.test.ts, waiting-list/joining.test.ts |
 * | pretix 681, 974, 1031, 1163 | waiting-list/offers.test.ts |
 * | pretix 837 | waiting-list/joining.test.ts |
 * | pretix 2119 | baskets/long-hold-places.test.ts |
 * | pretix 820, 1573, 2258, 3628, 6549, 6551 | here |
 */
describe('on-sale: issues of other systems', () => {
  it('what comes back to a maximum inside a pool is offered, with places kept for others and others on sale (pretix 3628)', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { pool, adult: flexible, junior: dated } = await givenTerrace(table, orgId, { capacity: 6, juniors: 3 });
    const cancel = (basketId: number) =>
      changeBasket(table, { orgId, basketId, decide: (basket) => cancelBasket(basket, deps.nowUnix) });
    // One place is kept for staff, two are taken: the date is full, and the house is not.
    const longHold = { untilUnix: deps.nowUnix + 86_400, reason: 'Staff', customer: ada };
    const { basketId: staff } = await openBasket(table, { ...deps, longHold });
    await addItem(deps, staff, dated);
    const { basketId: taken } = await givenBasket(deps, dated, 2);
    await join(deps, dated, 'grace');
    await serve(deps, pool);
    expect(await statuses(deps, pool)).toEqual(['grace waiting']);
    // Others go on buying what nobody waits for.
    await givenBasket(deps, flexible, 2);
    await cancel(taken);
    await serve(deps, pool);
    expect(await statuses(deps, pool)).toEqual(['grace offered']);
    expect(await leftOf(deps, dated)).toEqual({ avail: 1, capacity: 3 });
    expect(await audited(deps, pool)).toEqual([]);
  });

  it('one code is for several prices, and follows a changed quantity (pretix 1573, 2258, 820)', async () => {
    const orgId = 'org_reported';
    await givenOrganisation(table, orgId);
    const { event, price } = await givenOnSale(table, orgId, { capacity: 50 });
    const { eventId, categoryId } = { ...event, ...price };
    const junior = await givenPrice(table, orgId, { eventId, categoryId, code: 'junior', priceMinor: 1_000 });
    const other = await givenPrice(table, orgId, { eventId, categoryId, code: 'other', priceMinor: 1_000 });
    const shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
    const office = new CodeOffice(table, orgId, (await givenKey(table, orgId)).text);
    await office.word('SPONSOR', {
      effect: { kind: 'percent', value: 50 },
      uses_per_code: 1,
      price_ids: [price.priceId, junior.priceId],
    });
    const basket = await shop.opened();
    for (const { priceId } of [price, junior, other]) await shop.add(basket, priceId);
    expect((await shop.applyCode(basket, 'SPONSOR')).body).toMatchObject({ code: { reduction: 20 } });
    expect((await shop.updateLine(basket, 2, { quantity: 3 })).body).toMatchObject({ code: { reduction: 30 } });
    expect((await shop.add(basket, price.priceId)).body).toMatchObject({ code: { reduction: 45 } });
    expect((await shop.updateLine(basket, 2, { quantity: 1 })).body).toMatchObject({ code: { reduction: 35 } });
    expect((await shop.removeLine(basket, 2)).body).toMatchObject({ code: { reduction: 30 } });
    expect(await office.usesOf('SPONSOR')).toBe(1);
  });

  it('the list of prices shows what a code takes off, the same as the basket later (pretix 6549)', async () => {
    const { codes, shop, price, junior, event } = await givenPhasedSale(table);
    await codes.word('EARLY', { effect: { kind: 'percent', value: 20 }, price_ids: [price.priceId] });
    await codes.word('FREE', { effect: { kind: 'amount', value: 500 } });
    await codes.word('OPENS', { effect: { kind: 'none' } });
    const reductions = async (code?: string) =>
      ((await shop.prices(event.eventId, code)).body.data as Listed[]).map(({ code_reduction }) => code_reduction);
    expect(await reductions()).toEqual([undefined, undefined]);
    expect(await reductions('OPENS')).toEqual([0, 0]);
    for (const code of ['early', 'FREE']) {
      const [ofAdult, ofJunior] = await reductions(code);
      const basket = await shop.opened();
      for (const { priceId } of [price, junior]) await shop.add(basket, priceId);
      const { body } = await shop.applyCode(basket, code);
      expect(body).toMatchObject({ code: { reduction: (ofAdult ?? 0) + (ofJunior ?? 0) } });
      expect(ofAdult).toBe(code === 'early' ? 6 : 30);
    }
  });

  it('members pay less for the same places, which the list tells them, and others cannot (pretix 6551)', async () => {
    const { orgId, shop, event, price, typeId, fan } = await givenPhasedSale(table);
    const { eventId } = event;
    const { index: poolIndex } = await givenPool(table, orgId, { eventId, capacity: 2 });
    const inPool = { eventId, categoryId: price.categoryId, poolIndex, capacity: null };
    const full = await givenPrice(table, orgId, { ...inPool, code: 'full', priceMinor: 3_000 });
    const reduced = { priceMinor: 2_000, membershipTypeId: typeId };
    const less = await givenPrice(table, orgId, { ...inPool, ...reduced, code: 'less' });
    const [member, other] = [await fan({ isMember: true }), await fan()];
    const seen = async (headers: Record<string, string>) =>
      ((await shop.prices(eventId, undefined, headers)).body.data as Listed[]).filter(({ pool_id }) => pool_id);
    expect(await seen(member.headers)).toMatchObject([
      { price_id: full.priceId, price: 30, eligible: true },
      { price_id: less.priceId, price: 20, eligible: true, missing: [] },
    ]);
    expect(await seen(other.headers)).toMatchObject([{ eligible: true }, { eligible: false, missing: ['membership'] }]);
    const basket = await shop.opened();
    await shop.add(basket, less.priceId);
    for (const buyer of [{}, other])
      expect(await shop.checkOut(basket, buyer)).toMatchObject({
        status: 403,
        body: { error: { code: 'membership_not_proven' } },
      });
    expect(await shop.checkOut(basket, member)).toMatchObject({ status: 201, body: { tickets: [{ price: 20 }] } });
    expect((await shop.add(await shop.opened(), full.priceId)).status).toBe(200);
    expect((await shop.add(await shop.opened(), full.priceId)).body).toMatchObject({ error: { code: 'sold_out' } });
  });
});

interface Listed {
  readonly pool_id: number | null;
  readonly code_reduction?: number;
}
