import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkoutDepsOf, noonUnix, prepareWith } from '../../support/baskets.ts';
import { givenPhasedSale } from '../../support/phased-sale.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const buyerNamed = (firstName: string) => ({
  emailAddress: `${firstName.toLowerCase()}@example.com`,
  firstName,
  lastName: 'Lovelace',
});

/** A basket whose payment was prepared in a phase that has ended since. */
async function givenPreparedBeforeEnd(rules: (typeId: number) => object, isMember = false) {
  const sale = await givenPhasedSale(table);
  const { orgId, shop, price, phases, typeId, fan } = sale;
  await phases.created({ ...rules(typeId), until_unix: noonUnix + 60 });
  const deps = checkoutDepsOf(table, orgId);
  const first = await fan({ isMember });
  const basket = await shop.opened();
  expect((await shop.add(basket, price.priceId, 2, isMember ? first : {})).status).toBe(200);
  expect((await shop.prepare(basket, isMember ? first : {})).status).toBe(200);
  return { ...sale, deps, basketId: Number(basket.id) };
}

describe('another buyer of a payment that was prepared before the end of a phase', () => {
  it('must be eligible for the phase in which the payment began', async () => {
    const requires = (typeId: number) => ({ requires: { membership_type_ids: [typeId] } });
    const { deps, basketId } = await givenPreparedBeforeEnd(requires, true);
    deps.nowUnix = noonUnix + 120;
    expect(await prepareWith(deps, basketId, { buyer: buyerNamed('Grace') })).toMatchObject({
      outcome: 'refused',
      refusal: { reason: 'not_eligible', missing: ['membership'] },
    });
  });

  it('is counted by the limit per person of that phase', async () => {
    const { deps, basketId, shop, price, orgId } = await givenPreparedBeforeEnd(() => ({ max_per_person: 3 }));
    const other = await shop.opened();
    await shop.add(other, price.priceId, 2);
    const grace = { email: 'grace@example.com', first_name: 'Grace', last_name: 'Lovelace' };
    const bought = await shop.checkOut(other, { body: { customer: grace, payment_method: 'pm_card_visa' } });
    expect(bought.status).toBe(201);
    deps.nowUnix = noonUnix + 120;
    expect(await prepareWith(deps, basketId, { buyer: buyerNamed('Grace') })).toMatchObject({
      outcome: 'refused',
      refusal: { reason: 'too_many_per_person', maxPerPerson: 3 },
    });
    const before = (await readBasket(table, orgId, basketId))?.personReservation;
    expect(await prepareWith(deps, basketId, { buyer: buyerNamed('Eve') })).toMatchObject({ outcome: 'prepared' });
    const after = (await readBasket(table, orgId, basketId))?.personReservation;
    expect(after).toMatchObject({ tickets: [{ tickets: 2, limit: 3 }] });
    expect(after?.owner).not.toBe(before?.owner);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});
