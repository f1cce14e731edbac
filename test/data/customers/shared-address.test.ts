import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { findCustomerOfBuyer } from '../../../shared/data/customers/by-email.ts';
import { findOrCreateCustomer } from '../../../shared/data/customers/find-or-create.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { basketKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { emailSortPrefix, sortKeyOf } from '../../../shared/domain/customers/sort.ts';
import {
  aCustomer,
  customersAt,
  everyCustomerItem,
  givenCustomer,
  givenCustomers,
  itemsOf,
  someSecond,
} from '../../../tools/fixtures/customers.ts';
import { checkOutWith, givenBasket, givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { createTestTable } from '../../support/table.ts';
import { longTest } from '../../support/thorough.ts';

let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

function newOrganisation(): string {
  organisations += 1;
  return `org_shared${organisations}`;
}

const emailAddress = 'family@example.com';
const addedUnix = (years: number): number => someSecond + years * 31_536_000;

/** Three customers with one address; the oldest is neither the first nor the last that was saved. */
async function givenFamily(orgId: string) {
  const ben = await givenCustomer(table, orgId, {
    emailAddress,
    firstName: 'Ben',
    lastName: 'Ray',
    addedUnix: addedUnix(2),
  });
  const ann = await givenCustomer(table, orgId, {
    emailAddress: 'Family@EXAMPLE.com',
    firstName: 'Änn',
    lastName: 'Ray',
    addedUnix: addedUnix(1),
  });
  const cat = await givenCustomer(table, orgId, {
    emailAddress,
    firstName: 'Cat',
    lastName: null,
    addedUnix: addedUnix(3),
  });
  return { ann, ben, cat };
}

const always = (orgId: string) => ({
  nowUnix: someSecond,
  callerItems: () => [
    {
      ConditionCheck: {
        TableName: table.name,
        Key: basketKey(orgId, 1),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  ],
  isAddressUnproven: false,
});

const findOrCreate = (orgId: string, firstName: string, lastName = 'Ray', address: string = emailAddress) =>
  findOrCreateCustomer(table, orgId, { emailAddress: address, firstName, lastName }, always(orgId));

describe('customers who share an email address', () => {
  it('are all saved, listed by address with the oldest first, and leave nothing behind when they change', async () => {
    const orgId = newOrganisation();
    const { ann, ben, cat } = await givenFamily(orgId);
    expect(await customersAt(table, orgId, emailAddress)).toEqual([ann, ben, cat]);
    expect(await everyCustomerItem(table, orgId)).toEqual(itemsOf(orgId, [ann, ben, cat]));
    const change = { orgCustomerId: ann.orgCustomerId, emailAddress: null };
    const saved = await saveCustomer(table, orgId, change, someSecond + 100);
    if (saved.outcome !== 'updated') throw new Error(saved.outcome);
    expect(await customersAt(table, orgId, emailAddress)).toEqual([ben, cat]);
    expect(await everyCustomerItem(table, orgId)).toEqual(itemsOf(orgId, [saved.customer, ben, cat]));
  });

  it('a checkout takes the one with the same names, whatever their case and accents, otherwise the oldest', async () => {
    const orgId = newOrganisation();
    const { ann, ben, cat } = await givenFamily(orgId);
    expect(await findOrCreate(orgId, 'BEN ', 'ray')).toEqual(ben);
    expect(await findOrCreate(orgId, 'ann')).toEqual(ann);
    expect(await findOrCreate(orgId, 'cat', '')).toEqual(cat);
    expect(await findOrCreate(orgId, 'Dan')).toEqual(ann);
    expect(await customersAt(table, orgId, emailAddress)).toHaveLength(3);
    const younger = await givenCustomer(table, orgId, {
      emailAddress,
      firstName: 'Ben',
      lastName: 'Ray',
      addedUnix: addedUnix(4),
    });
    expect(await findOrCreate(orgId, 'Ben')).toEqual(ben);
    expect(younger.userId).toBeGreaterThan(ben.userId);
  });

  it('a checkout over the API takes the one with the same names and charges once', async () => {
    const deps = newCheckoutDeps(table);
    const { ben } = await givenFamily(deps.orgId);
    const { price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price);
    const buyer = { emailAddress, firstName: 'ben', lastName: 'RAY' };
    expect(await checkOutWith(deps, basketId, { buyer })).toMatchObject({
      outcome: 'confirmed',
      customer: { userId: ben.userId },
    });
  });

  const people = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      aCustomer({ emailAddress, firstName: `Person ${index}`, lastName: 'Ray', addedUnix: addedUnix(-1) + index }),
    );
  const lookUp = async (orgId: string, firstName: string) => {
    table.meter.reset();
    const found = await findCustomerOfBuyer(table, orgId, { emailAddress, firstName, lastName: 'Ray' });
    return { found, calls: table.meter.calls, readUnits: table.meter.readUnits };
  };

  it('the look-up is one read of one unit if few customers share the address', async () => {
    const orgId = newOrganisation();
    expect(await lookUp(orgId, 'Another')).toEqual({ found: undefined, calls: 1, readUnits: expect.any(Number) });
    const family = people(5);
    await givenCustomers(table, orgId, family);
    expect(await lookUp(orgId, 'Person 3')).toEqual({ found: family[3], calls: 1, readUnits: 1 });
    expect(await lookUp(orgId, 'Another')).toEqual({ found: family[0], calls: 1, readUnits: 1 });
  });

  it('the look-up finds the names among many who share the address, also those of a customer that a checkout created', async () => {
    const orgId = newOrganisation();
    const buyer = await findOrCreate(orgId, 'Buyer');
    // An import of customers that were added before the checkout.
    const crowd = people(40);
    await givenCustomers(table, orgId, crowd);
    expect(await lookUp(orgId, 'Person 39')).toMatchObject({ found: crowd[39] });
    expect((await lookUp(orgId, 'buyer')).found).toEqual(buyer);
    expect(await lookUp(orgId, 'Another')).toMatchObject({ found: crowd[0], calls: 4 });
    expect(await findOrCreate(orgId, 'Buyer')).toEqual(buyer);
  });

  longTest('the look-up costs three units if 500 customers share the address', async () => {
    const orgId = newOrganisation();
    const crowd = people(500);
    await givenCustomers(table, orgId, crowd);
    expect(await lookUp(orgId, 'Person 499')).toEqual({ found: crowd[499], calls: 3, readUnits: 3 });
  });

  it('have sort keys that start alike, in any spelling of the address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (mailbox) => {
        const spelling = `${mailbox}@example.com`.replaceAll(/\s/g, '');
        const customer = aCustomer({ emailAddress: spelling });
        expect(sortKeyOf('email', customer).startsWith(emailSortPrefix(spelling))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('concurrent first checkouts of a new address', () => {
  it('twenty checkouts with different names create one customer, and all return it', async () => {
    const orgId = newOrganisation();
    const found = await Promise.all(Array.from({ length: 20 }, (_, index) => findOrCreate(orgId, `Buyer ${index}`)));
    const known = await customersAt(table, orgId, emailAddress);
    expect(known).toHaveLength(1);
    expect(found).toEqual(found.map(() => known[0]));
    expect(await everyCustomerItem(table, orgId)).toEqual(itemsOf(orgId, known));
  });

  it('the customer of a checkout can move to the address of another and back; its old address is free again', async () => {
    const orgId = newOrganisation();
    const first = await findOrCreate(orgId, 'Ann', 'Ray', 'one@example.com');
    const second = await findOrCreate(orgId, 'Ben', 'Ray', 'two@example.com');
    const orgCustomerId = first?.orgCustomerId ?? '';
    const move = async (address: string | null) => {
      const saved = await saveCustomer(table, orgId, { orgCustomerId, emailAddress: address }, someSecond + 9);
      if (saved.outcome !== 'updated') throw new Error(saved.outcome);
      return saved.customer;
    };
    const moved = await move('TWO@example.com');
    expect(await everyCustomerItem(table, orgId)).toEqual(itemsOf(orgId, [moved, ...(second ? [second] : [])]));
    const third = await findOrCreate(orgId, 'Cat', 'Ray', 'one@example.com');
    expect(third?.userId).not.toBe(first?.userId);
    const back = await move('one@example.com');
    const all = [back, second, third].filter((customer) => customer !== undefined);
    expect(await everyCustomerItem(table, orgId)).toEqual(itemsOf(orgId, all));
    await move(null);
  });

  it('an import beside the checkouts makes one more customer at most, and no item without a customer', async () => {
    for (let round = 0; round < 5; round += 1) {
      const orgId = newOrganisation();
      const draft = { orgCustomerId: 'C-1', emailAddress, firstName: 'Imported', addedUnix: addedUnix(randomInt(5)) };
      await Promise.all([
        ...Array.from({ length: 5 }, (_, index) => findOrCreate(orgId, `Buyer ${index}`)),
        saveCustomer(table, orgId, draft, someSecond),
      ]);
      const known = await customersAt(table, orgId, emailAddress);
      expect([1, 2]).toContain(known.length);
      expect(known.filter(({ orgCustomerId }) => orgCustomerId === 'C-1')).toHaveLength(1);
      expect(await everyCustomerItem(table, orgId)).toEqual(itemsOf(orgId, known));
    }
  });
});
