import { expect, it } from 'vitest';
import { createPhase } from '../../../shared/catalogue/phases.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { readKnownBuyer } from '../../../shared/sales/baskets/known-buyer.ts';
import { addItem, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { RoundTable } from '../../support/cost/round-table.ts';

async function costsWith(phases: number, maxPerPerson: number | null = null) {
  const rounds = new RoundTable();
  const { table } = rounds;
  const deps = checkoutDepsOf(table, 'org_1');
  const { orgId } = deps;
  const { event, price } = await givenOnSale(table, orgId);
  for (let index = 0; index < phases; index += 1) {
    const time = index === 0 ? { untilUnix: 2e9 } : { fromUnix: 2e9 + index, untilUnix: 2e9 + index + 1 };
    const given = { title: 'Everyone', ...time, maxPerPerson };
    await createPhase(table, orgId, event.eventId, { given, sideEffects: () => [] });
  }
  const first = await givenBasket(deps, price);
  expect((await checkOutWith(deps, first.basketId)).outcome).toBe('confirmed');
  const { basketId } = await givenBasket(deps, price);
  const add = await rounds.measure(async () => {
    await readOffer(table, orgId, price.priceId);
    await addItem(deps, basketId, price);
  });
  const readToAdd = rounds.readUnits;
  const checkOut = await rounds.measure(() => checkOutWith(deps, basketId));
  return { add, readToAdd, checkOut, readToCheckOut: rounds.readUnits };
}

it('phases without requirements cost no unit and no call, and an event without phases what it cost before', async () => {
  const [without, one, three] = [await costsWith(0), await costsWith(1), await costsWith(3)];
  expect(one).toEqual(without);
  expect(three).toEqual(without);
});

it('a limit per person adds four write units to a checkout, and one call that waits', async () => {
  const [without, limited] = [await costsWith(1), await costsWith(1, 4)];
  expect(limited.add).toEqual(without.add);
  expect(limited.checkOut.writeUnits - without.checkOut.writeUnits).toBe(4);
  expect(limited.checkOut.depth - without.checkOut.depth).toBe(1);
});

it('what a fan has of a phase is one read unit, and none in an event without a limit', async () => {
  const rounds = new RoundTable();
  const deps = checkoutDepsOf(rounds.table, 'org_1');
  const costOf = async (limitedEventId: number | undefined) => {
    const wanted = { memberships: false, attributes: false, limitedEventId };
    await rounds.measure(() => readKnownBuyer(deps, { linkedUserId: 7 }, wanted, deps.nowUnix));
    return rounds.readUnits;
  };
  expect(await costOf(undefined)).toBe(0);
  expect(await costOf(4096)).toBe(1);
});
