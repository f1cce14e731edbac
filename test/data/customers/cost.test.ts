import { beforeAll, describe, expect, it } from 'vitest';
import { demoHash } from '../../../local/demo/hash-key.ts';
import { customerItems } from '../../../shared/data/customers/items.ts';
import { type CustomerListing, listCustomers } from '../../../shared/data/customers/list.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { customerRow } from '../../../shared/data/customers/row.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import { type CustomerSort, sortKeyOf } from '../../../shared/domain/customers/sort.ts';
import { aCustomer, givenCustomers, someSecond } from '../../../tools/fixtures/customers.ts';
import { createTestTable } from '../../support/table.ts';

/**
 * The same kinds of people in both organisations. What is searched for below matches the same number, not the same
 * share.
 */
const sizes = { small: 150, large: 1_500 } as const;
type Size = keyof typeof sizes;

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  for (const size of ['small', 'large'] as const) {
    await givenCustomers(table, size, population(sizes[size]));
    await applyPositionChanges(table, { orgId: size, resource: 'customers' });
  }
});

/** Five people with a rare name among the others, thirty with the name Quinn, and half with the name Anna. */
function population(count: number): CustomerRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const lastName = index % (count / 30) === 1 ? 'Quinn' : `S${(index * 7_919) % count}`;
    return aCustomer({
      addedUnix: someSecond + index,
      updatedUnix: index % 10 === 0 ? someSecond + 10_000 + ((index * 7_919) % count) : null,
      firstName: index % 2 === 0 ? 'Anna' : 'Bert',
      lastName: index % (count / 5) === 0 ? 'Zulu' : lastName,
    });
  });
}

interface Cost {
  readonly reads: number;
  readonly writes: number;
  readonly calls: number;
  readonly customers: readonly CustomerRecord[];
}

async function cost(orgId: Size, request: Partial<CustomerListing> = {}): Promise<Cost> {
  const listing = { sort: 'added', descending: true, search: undefined, updatedSince: undefined, page: 1 } as const;
  table.meter.reset();
  const { customers } = await listCustomers(table, { ...listing, limit: 20, ...request, orgId });
  const { readUnits: reads, writeUnits: writes, calls } = table.meter;
  return { reads, writes, calls, customers };
}

/** What DynamoDB must charge for rows: half a unit for each 4 KB begun. */
function least(orgId: Size, customers: readonly CustomerRecord[], sort: CustomerSort = 'added'): number {
  const bytes = customers.reduce((sum, customer) => sum + sizeOf(storedRow(orgId, customer, sort)), 0);
  return Math.max(1, Math.ceil(bytes / 4_096)) / 2;
}

/** The row that a list in this order reads. */
function storedRow(orgId: Size, customer: CustomerRecord, sort: CustomerSort): Readonly<Record<string, unknown>> {
  const row = customerRow(orgId, customer);
  if (sort === 'added' || sort === 'updated') return row;
  return customerItems(orgId, customer, demoHash).find(({ sk }) => sk === sortKeyOf('email', customer)) ?? row;
}

function sizeOf(item: Readonly<Record<string, unknown>>): number {
  const valueSize = (value: unknown): number =>
    typeof value === 'string' ? Buffer.byteLength(value) : Math.ceil(String(value).length / 2) + 1;
  return Object.entries(item).reduce((sum, [name, value]) => sum + name.length + valueSize(value), 0);
}

const sorts = ['added', 'updated', 'first', 'last', 'email'] as const;

describe.each(['small', 'large'] as const)('cost of customers in the %s organisation', (size) => {
  it.each(sorts)('list-customers by %s costs one Query of its rows plus one row', async (sort) => {
    for (const [limit, descending] of [
      [20, true],
      [100, false],
    ] as const) {
      const { reads, calls, customers } = await cost(size, { sort, limit, descending });
      expect(customers).toHaveLength(limit);
      expect(reads).toBeLessThanOrEqual(1.25 * least(size, customers, sort));
      expect(calls).toBe(1);
    }
  });

  it('list-customers by change, updated since a time, costs what its rows cost', async () => {
    const { reads, calls, customers } = await cost(size, {
      sort: 'updated',
      updatedSince: someSecond + 5_000,
      limit: 10,
    });
    expect(customers).toHaveLength(10);
    expect(reads).toBeLessThanOrEqual(1.25 * least(size, customers));
    expect(calls).toBe(1);
  });

  it('every later page of a search costs at most what it and the rows before it cost', async () => {
    const request = { sort: 'first', search: 'anna', limit: 10 } as const;
    const first = await cost(size, request);
    for (let page = 2; page <= 5; page += 1) {
      const { reads, writes } = await cost(size, { ...request, page });
      expect(reads).toBeLessThanOrEqual(page * (first.reads + rounding));
      expect(writes).toBe(0);
    }
  });

  it.each([...sorts.map((sort) => ({ sort })), { sort: 'updated', updatedSince: someSecond + 20 } as const])(
    'a jump to any page of list-customers costs at most 1.5 times the first page and 10 read units: %j',
    async (request) => {
      const pages = Math.floor((sizes[size] - 21) / 20);
      for (const descending of [true, false]) {
        const first = await cost(size, { ...request, descending });
        for (const page of [2, 3, 5, Math.ceil(pages / 2), pages]) {
          const { reads, writes, customers } = await cost(size, { ...request, descending, page });
          expect(customers).toHaveLength(20);
          expect(reads).toBeLessThanOrEqual(1.5 * first.reads + 10);
          expect(writes).toBe(0);
        }
      }
    },
  );

  it('retrieve-customer costs one read unit, whatever the id', async () => {
    for (const id of ['nobody', 'x'.repeat(1_000)]) {
      table.meter.reset();
      await findCustomer(table, size, id);
      expect(table.meter.readUnits).toBeLessThanOrEqual(0.5);
    }
    const [customer] = (await cost(size)).customers;
    table.meter.reset();
    await findCustomer(table, size, customer?.orgCustomerId ?? '');
    expect(table.meter).toMatchObject({ readUnits: 1, calls: 2 });
  });
});

/** Rows differ in length, so a page may begin another 4 KB. */
const rounding = 0.5;

describe('cost of filtered customers does not depend on the size of the organisation', () => {
  it.each([
    ['five people by a rare name', { search: 'zulu' }, 5],
    ['five people by a rare and a frequent word', { search: 'anna zulu' }, 5],
    ['no customer', { search: 'xyz' }, 0],
    ['thirty people', { search: 'quinn', limit: 100 }, 30],
    ['no customer by two words, one of them rare', { search: 'anna quinn' }, 0],
    ['no customer changed since a time', { search: 'xyz', updatedSince: someSecond + 5_000 }, 0],
    ['no customer after a time', { updatedSince: someSecond + 50_000, sort: 'first' }, 0],
  ] as const)(
    'list-customers finds %s at a cost independent of the size of the organisation',
    async (_name, request, found) => {
      for (const sort of sorts) {
        const [small, large] = [await cost('small', { sort, ...request }), await cost('large', { sort, ...request })];
        expect(large.customers).toHaveLength(found);
        expect(large.reads).toBeLessThanOrEqual(small.reads + 4 * rounding);
        // Half a unit for each customer, which is read by its key, and the words.
        expect(large.reads).toBeLessThanOrEqual(found / 2 + 6.5);
      }
    },
  );

  it('list-customers finds half of all customers, in an order that mixes them with the others, at a bounded cost', async () => {
    for (const sort of ['added', 'updated', 'last', 'email'] as const) {
      const [small, large] = [await cost('small', { sort, search: 'a' }), await cost('large', { sort, search: 'a' })];
      expect(large.reads).toBeLessThanOrEqual(small.reads + 4 * rounding);
    }
  });

  it.each([
    ['a search that half match', { search: 'anna' }],
    ['two words', { search: 'anna s' }],
    ['a search and a time', { search: 'anna', updatedSince: 1 }],
    ['a time', { updatedSince: 1 }],
  ] as const)(
    'a jump to any page of list-customers with %s costs at most 40 read units for 1,000 customers, and the page',
    async (_name, request) => {
      for (const sort of sorts) {
        const pages = 'search' in request ? 35 : 74;
        for (const page of [Math.floor(pages / 2), pages]) {
          const { reads, customers } = await cost('large', { sort, ...request, page });
          expect(customers).toHaveLength(20);
          // The page and the next row are read by key. Each Query rounds up.
          expect(reads).toBeLessThanOrEqual((40 * sizes.large) / 1_000 + 21 / 2 + 1);
        }
      }
    },
  );

  it('list-customers with a filter and an order that disagree costs less than all customers, page by page', async () => {
    const everything = least('large', population(sizes.large), 'last');
    // Every tenth customer was changed.
    for (const page of [1, 2, 3]) {
      const { reads, customers } = await cost('large', { sort: 'last', updatedSince: someSecond + 5_000, page });
      expect(customers).toHaveLength(20);
      expect(reads).toBeLessThan(everything);
    }
  });
});
