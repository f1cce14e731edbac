import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveCustomer } from '../../shared/data/customers/save.ts';
import { applyPositionChanges } from '../../shared/data/positions/apply.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import { aCustomer, givenCustomers, removeCustomer, someSecond } from '../../tools/fixtures/customers.ts';
import { customerOrders, listPage } from '../support/customer-lists.ts';
import { modelList, modelPage } from '../support/customer-model.ts';
import { createTestTable } from '../support/table.ts';

/** So many that positions are read from the trees, not from the customers. */
const count = 700;
const orgId = 'org_distant';
const trees = { orgId, resource: 'customers' } as const;

let table: Table;
let customers: readonly CustomerRecord[];

beforeAll(async () => {
  ({ table } = await createTestTable());
  const before = Array.from({ length: count }, (_, index) =>
    aCustomer({
      addedUnix: someSecond + index,
      updatedUnix: index % 3 === 0 ? null : someSecond + 10_000 + ((index * 7_919) % count),
      firstName: index % 4 === 0 ? 'Änne' : 'Anna',
      lastName: `Ö${(index * 31) % 97}`,
      emailAddress: `fan${(index * 7) % count}@example.com`,
      postcode: index % 2 === 0 ? 'SW1A 1AA' : 'SW1A1AA',
    }),
  );
  await givenCustomers(table, orgId, before);
  await applyPositionChanges(table, trees);
  // These changes are not in the trees.
  const removed = before.slice(0, 10);
  for (const customer of removed) await removeCustomer(table, orgId, customer);
  const changed = await Promise.all(
    before.slice(10, 40).map(async ({ orgCustomerId }, index) => {
      const saved = await saveCustomer(table, orgId, { orgCustomerId, lastName: `New${index}` }, someSecond + 20_000);
      if (!('customer' in saved)) throw new Error(saved.outcome);
      return saved.customer;
    }),
  );
  customers = [...changed, ...before.slice(40)];
});

const request = fc.record({
  order: fc.constantFrom(...customerOrders),
  search: fc.constantFrom(
    undefined,
    undefined,
    'ann',
    'anne',
    'an o',
    'sw1a 1aa',
    'anna sw1a 1aa',
    'example.com',
    'new o',
  ),
  updatedSince: fc.constantFrom(undefined, 1, someSecond + 300, someSecond + 10_300, someSecond + 19_999),
  limit: fc.constantFrom(10, 50, 100),
  page: fc.integer({ min: 1, max: 80 }),
});

async function comparePages(runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(request, async ({ order, search, updatedSince, limit, page }) => {
      const list = modelList(customers, { ...order, search, updatedSince });
      // A page that exists, more often than not.
      const asked = 1 + ((page - 1) % (Math.ceil(list.length / limit) + 1));
      const found = await listPage(table, { orgId, ...order, search, updatedSince, limit, page: asked });
      expect(found).toEqual(modelPage(list, asked, limit));
    }),
    { numRuns: runs },
  );
}

describe('distant pages of filtered customers', () => {
  it('are those of the model for any filter and order, with changes that the position trees do not contain yet', () =>
    comparePages(24));

  it('are those of the model while the position trees are edited', async () => {
    await Promise.all([comparePages(6), applyPositionChanges(table, trees)]);
    await comparePages(8);
  });
});
