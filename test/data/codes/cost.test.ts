import { describe, expect, it } from 'vitest';
import { createCampaign } from '../../../shared/catalogue/code-campaigns.ts';
import { newCodes } from '../../../shared/catalogue/new-codes.ts';
import { changeBasket } from '../../../shared/data/baskets/baskets.ts';
import { createCodes, findCode } from '../../../shared/data/codes/codes.ts';
import { applyCode } from '../../../shared/domain/baskets/codes.ts';
import { addItem, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { RoundTable } from '../../support/cost/round-table.ts';

async function givenSale(usesPerCode: number | null) {
  const rounds = new RoundTable();
  const { table } = rounds;
  const deps = checkoutDepsOf(table, 'org_1');
  const { orgId } = deps;
  const { price } = await givenOnSale(table, orgId);
  const fields = { title: 'Early birds', effect: { kind: 'percent', value: 20 } as const, usesPerCode };
  const saved = await createCampaign({ table, orgId, nowUnix: noonUnix }, fields, () => []);
  if (saved.outcome !== 'saved') throw new Error(saved.outcome);
  const codes = newCodes(orgId, saved.campaign, { word: 'EARLY20' }, noonUnix);
  await createCodes(table, orgId, { codes, usesPerCode }, []);
  const apply = async (basketId: number) => {
    const found = await findCode(table, orgId, 'EARLY20');
    return changeBasket(table, { orgId, basketId, decide: (basket) => applyCode(basket, found, noonUnix) });
  };
  const checkOut = async (basketId: number) =>
    (await rounds.measure(async () => expect((await checkOutWith(deps, basketId)).outcome).toBe('confirmed')))
      .writeUnits;
  await checkOut((await givenBasket(deps, price)).basketId);
  return { rounds, deps, price, apply, checkOut };
}

describe('the cost of a code', () => {
  it.each([
    [null, 1],
    [100, 5],
    [1_000, 5],
  ])(
    'with %s uses, applying it writes %i units, and the rest of the sale what it writes without',
    async (uses, units) => {
      const { rounds, deps, price, apply, checkOut } = await givenSale(uses);
      const { basketId: plain } = await givenBasket(deps, price);
      const { basketId } = await givenBasket(deps, price);
      expect(await rounds.measure(() => apply(basketId))).toMatchObject({ writeUnits: units });
      const more = async (id: number) => (await rounds.measure(() => addItem(deps, id, price))).writeUnits;
      expect(await more(basketId)).toBe(await more(plain));
      expect(await checkOut(basketId)).toBe(await checkOut(plain));
    },
  );
});
