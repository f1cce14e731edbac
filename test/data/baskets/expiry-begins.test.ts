import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket, openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { removeFromBasket } from '../../../shared/domain/baskets/changes.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../../support/audit.ts';
import { ada, addItem, givenOnSale, newCheckoutDeps, statusOf, ticketsOf } from '../../support/baskets.ts';
import { addSeatsTo, givenSeatedEvent } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('the 15 minutes of a basket', () => {
  it('begin with its first hold, and once: neither more tickets nor an empty basket prolong them', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { price } = await givenOnSale(table, orgId);
    const { basketId, expiresUnix } = await openBasket(table, deps);
    expect(expiresUnix).toBe(deps.nowUnix + basketSeconds);
    const expiry = async () => (await readBasket(table, orgId, basketId))?.expiresUnix;
    deps.nowUnix += 600;
    await addItem(deps, basketId, price, 2);
    const endUnix = deps.nowUnix + basketSeconds;
    expect(await expiry()).toBe(endUnix);
    deps.nowUnix += 60;
    await addItem(deps, basketId, price);
    const decide: Parameters<typeof changeBasket>[1]['decide'] = (basket) =>
      removeFromBasket(basket, price.priceId, deps.nowUnix);
    await changeBasket(table, { orgId, basketId, decide });
    deps.nowUnix += 60;
    await addItem(deps, basketId, price);
    expect(await expiry()).toBe(endUnix);
    // The sweeper comes by when the basket would have expired without a hold.
    deps.nowUnix = expiresUnix;
    await sweepBaskets(deps);
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ held: 1 });
    expect(await findingsOf(table, orgId)).toEqual([]);
    deps.nowUnix = endUnix;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId)).toBe('expired');
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 100, held: 0 });
  });

  it('begin with the first seat, too, and those of a long hold are its own', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { price } = await givenSeatedEvent(table, orgId);
    const { basketId } = await openBasket(table, deps);
    const untilUnix = deps.nowUnix + 86_400;
    const { basketId: kept } = await openBasket(table, {
      ...deps,
      longHold: { untilUnix, reason: 'Group', customer: ada },
    });
    deps.nowUnix += 600;
    for (const [id, seat] of [
      [basketId, 'Stalls/A/1'],
      [kept, 'Stalls/B/1'],
    ] as const) {
      expect((await addSeatsTo(deps, id, price, [seat])).outcome).toBe('changed');
    }
    expect((await readBasket(table, orgId, basketId))?.expiresUnix).toBe(deps.nowUnix + basketSeconds);
    expect((await readBasket(table, orgId, kept))?.expiresUnix).toBe(untilUnix);
  });

  it('an empty basket expires 15 minutes after it was opened', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await openBasket(table, deps);
    deps.nowUnix += basketSeconds;
    expect(await addItem(deps, basketId, price)).toMatchObject({ outcome: 'refused' });
  });
});
