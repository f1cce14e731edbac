import { describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { ada, addItem, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { RoundTable, type Work } from '../../support/cost/round-table.ts';
import { givenCounterBasket, sellAtCounter } from '../../support/counter.ts';
import { switchOnReceipts } from '../../support/issued-receipts.ts';
import {
  buyMembership,
  givenMembershipBasket,
  givenRenewalBasket,
  givenType,
  person,
} from '../../support/memberships.ts';
import { givenInstalmentType, planOf, sixMonthly, sweep } from '../../support/plans.ts';

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

  it('consents cost a sale one transaction more, and nothing if there are none', async () => {
    const { rounds, deps, price } = await saleOfOneTicket();
    const buyWith = async (...purposes: readonly string[]) => {
      const { basketId } = await givenBasket(deps, price);
      const said = purposes.map((purpose) => ({ purpose, channel: 'email', given: true, textVersion: 'v1' }) as const);
      const consents = { said, isTypedOnPage: false, atMs: deps.clock.nowMs() };
      const buyer = { ...ada, ...(said.length > 0 && { consents }) };
      return withAdmission(
        await rounds.measure(async () =>
          expect(await checkOutWith(deps, basketId, { buyer })).toMatchObject({ outcome: 'confirmed' }),
        ),
      );
    };
    expect(await buyWith('marketing')).toEqual({ depth: 8, writeUnits: 70 });
    expect(await buyWith()).toEqual({ depth: 7, writeUnits: 43 });
    expect(await buyWith('partners')).toEqual({ depth: 8, writeUnits: 55 });
  });

  it('receipts cost a sale nothing: they are numbered after it', async () => {
    const { checkOutOne, deps } = await saleOfOneTicket();
    await checkOutOne();
    const without = await checkOutOne();
    await switchOnReceipts(deps);
    expect(await checkOutOne()).toEqual(without);
  });

  it('a sale at the counter costs less than one with a card: no charge is recorded', async () => {
    const { rounds, deps, price } = await saleOfOneTicket();
    const sellOne = async () => {
      const { basketId } = await givenCounterBasket(deps, price);
      return withAdmission(
        await rounds.measure(async () =>
          expect(await sellAtCounter(deps, basketId)).toMatchObject({ outcome: 'confirmed' }),
        ),
      );
    };
    expect(await sellOne()).toEqual({ depth: 6, writeUnits: 59 });
    expect(await sellOne()).toEqual({ depth: 6, writeUnits: 42 });
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

describe('the cost of a membership', () => {
  it('paid at once, a membership of a known customer costs at most 65 write units, and a family of four 170', async () => {
    const rounds = new RoundTable();
    const deps = checkoutDepsOf(rounds.table, 'org_1');
    await givenOrganisation(rounds.table, deps.orgId);
    const single = await givenType(rounds.table, deps.orgId, { capacity: 100 });
    const family = await givenType(rounds.table, deps.orgId, { persons: 4 }, 'family');
    const buy = async (type: typeof single, holders: Parameters<typeof givenMembershipBasket>[2] = []) => {
      const basketId = await givenMembershipBasket(deps, type, holders);
      return withAdmission(
        await rounds.measure(async () =>
          expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' }),
        ),
      );
    };
    await buy(single);
    const [one, four] = [
      await buy(single),
      await buy(
        family,
        ['A', 'B', 'C', 'D'].map((name) => person(name)),
      ),
    ];
    expect({ one, four }).toEqual({ one: { depth: 7, writeUnits: 62 }, four: { depth: 7, writeUnits: 130 } });
    expect([one.writeUnits <= 65, four.writeUnits <= 170]).toEqual([true, true]);
  });

  it('the renewal of a member costs no more than its purchase', async () => {
    const rounds = new RoundTable();
    const deps = checkoutDepsOf(rounds.table, 'org_1');
    await givenOrganisation(rounds.table, deps.orgId);
    const { memberships } = await buyMembership(deps, await givenType(rounds.table, deps.orgId));
    const basketId = await givenRenewalBasket(deps, memberships[0]?.memberId ?? 0);
    const renewal = await rounds.measure(async () =>
      expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' }),
    );
    expect(withAdmission(renewal)).toEqual({ depth: 7, writeUnits: 57 });
  });
});

describe('the cost of instalments', () => {
  it('of a new customer with a plan at most 91 write units; an instalment 16, and the last one 28', async () => {
    const rounds = new RoundTable();
    const deps = checkoutDepsOf(rounds.table, 'org_1');
    const type = await givenInstalmentType(deps, { capacity: 100 });
    const basketId = await givenMembershipBasket(deps, type);
    const bought = withAdmission(
      await rounds.measure(async () =>
        expect(await checkOutWith(deps, basketId, sixMonthly)).toMatchObject({ outcome: 'confirmed' }),
      ),
    );
    const planId = basketId + 60;
    const charged = async (number: number) => {
      deps.nowUnix = (await planOf(deps, planId)).instalments[number - 1]?.dueUnix ?? 0;
      return (await rounds.measure(() => sweep(deps))).writeUnits;
    };
    const units = [await charged(2), await charged(3), await charged(4), await charged(5), await charged(6)];
    expect({ bought: bought.writeUnits, units }).toEqual({ bought: 91, units: [13, 13, 13, 13, 28] });
    expect([bought.writeUnits <= 91, units.slice(0, -1).every((one) => one <= 16), (units[4] ?? 0) <= 28]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
