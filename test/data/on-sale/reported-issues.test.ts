import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { ada, addItem, givenBasket, givenOnSale, givenTerrace, newCheckoutDeps } from '../../support/baskets.ts';
import { CodeOffice } from '../../support/code-office.ts';
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

/** What users of other systems reported. Those that are not here are named in the titles of the tests of their feature. */
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
      ...{ effect: { kind: 'percent', value: 50 }, uses_per_code: 1 },
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
});
