import { describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { addItem, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { RoundTable, type Work } from '../../support/cost/round-table.ts';

/** What the request itself costs before the operation begins: the write that admits it. */
const admission: Work = { depth: 1, writeUnits: 1 };

const withAdmission = ({ depth, writeUnits }: Work): Work => ({
  depth: depth + admission.depth,
  writeUnits: writeUnits + admission.writeUnits,
});

async function saleOfOneTicket() {
  const rounds = new RoundTable();
  const deps = checkoutDepsOf(rounds.table, 'org_1');
  const { price } = await givenOnSale(rounds.table, deps.orgId);
  const checkOutOne = async () => {
    const { basketId } = await givenBasket(deps, price);
    return withAdmission(
      await rounds.measure(async () =>
        expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' }),
      ),
    );
  };
  return { rounds, deps, price, checkOutOne };
}

describe('the cost of a sale of one ticket', () => {
  it('a checkout makes few calls one after the other, and writes little more for a new customer', async () => {
    const { checkOutOne } = await saleOfOneTicket();
    expect(await checkOutOne()).toEqual({ depth: 7, writeUnits: 60 });
    expect(await checkOutOne()).toEqual({ depth: 7, writeUnits: 43 });
  });

  it('a basket is opened with two single writes, and an item is added with one transaction', async () => {
    const { rounds, deps, price } = await saleOfOneTicket();
    const opened = await rounds.measure(() => openBasket(rounds.table, deps));
    expect(withAdmission(opened)).toEqual({ depth: 2, writeUnits: 3 });
    const { basketId } = await openBasket(rounds.table, deps);
    const added = await rounds.measure(() => addItem(deps, basketId, price));
    expect(withAdmission(added)).toMatchObject({ writeUnits: 5 });
  });
});
