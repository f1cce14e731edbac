import { beforeAll, describe, expect, it } from 'vitest';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { aCustomer, givenCustomers, removeCustomer, someSecond } from '../../../tools/fixtures/customers.ts';
import { customerOrders, type ListRequest, listPage, readAllPages, unfiltered } from '../../support/customer-lists.ts';
import { modelList, modelPage } from '../../support/customer-model.ts';
import { createTestTable } from '../../support/table.ts';
import { longSuite } from '../../support/thorough.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const list = (request: ListRequest) => listPage(table, request);

describe('customer search', () => {
  const orgId = 'org_search';
  const anna = aCustomer({
    orgCustomerId: 'Club-77',
    firstName: 'Anna',
    lastName: 'Müller',
    emailAddress: 'anna.m@example.com',
    mobileNumber: '+44 7700 900-123',
    postcode: 'SW1A 1AA',
  });
  const others = [
    aCustomer({ firstName: 'Anne', lastName: 'Smith', orgCustomerId: 'Club-778' }),
    aCustomer({ firstName: 'Hannah', lastName: 'Mueller' }),
  ];

  beforeAll(async () => {
    await givenCustomers(table, orgId, [anna, ...others]);
    await givenCustomers(table, 'org_search_other', [aCustomer({ firstName: 'Anna', lastName: 'Müller' })]);
  });

  it.each([
    'müller ann',
    'ANN MULLER',
    'mu\u0308ller',
    'anna.m@ex',
    'example.com',
    '+4477',
    '44770',
    '7700 900',
    'sw1a 1',
    'sw1a1aa',
    '@example.com ann',
    'annam@ex',
    'anna mueller',
    '+44 (7700)',
    'club-77',
    'CLUB-77',
    'anna club-77',
    String(anna.userId),
    'anna anna anna',
    'a m e s 1',
  ])('customer search for %j finds only Anna Müller', async (search) => {
    expect(await list({ orgId, search })).toEqual({ customers: [anna], hasMore: false });
  });

  it.each([
    'nna',
    'club-7',
    'club',
    String(anna.userId).slice(0, 15),
    'anna smith',
    "' OR 1=1 --",
    '😀',
    'müller anna x',
  ])('customer search for %j finds no customer', async (search) => {
    expect(await list({ orgId, search })).toEqual({ customers: [], hasMore: false });
  });

  it.each(['\u0000', '\u0000\t\n', '\u001f\u007f', '\u200b', '\u0301\u0308'])(
    'customer search for a text that no customer has finds no customer: %j',
    async (search) => {
      expect(await list({ orgId, search })).toEqual({ customers: [], hasMore: false });
    },
  );

  it.each(['', ' ', ' \t\n'])('customer search for spaces alone is no search: %j', async (search) => {
    expect((await list({ orgId, search })).customers).toHaveLength(3);
  });

  it('customer search accepts 400 characters', async () => {
    const many = Array.from({ length: 133 }, (_, index) => String.fromCodePoint(0x61 + (index % 26)).repeat(2)).join(
      ' ',
    );
    for (const search of [many, 'x'.repeat(400), '😀'.repeat(400), `anna ${'a '.repeat(197)}`]) {
      expect([...search].length).toBeLessThanOrEqual(400);
      const found = search.startsWith('anna') ? [anna] : [];
      expect((await list({ orgId, search })).customers).toEqual(found);
    }
  });
});

describe('customer pages', () => {
  it('customer pages beyond the end are empty, also where the last page is full', async () => {
    const orgId = 'org_ends';
    const six = await givenCustomers(
      table,
      orgId,
      Array.from({ length: 6 }, () => aCustomer()),
    );
    for (const limit of [1, 2, 3, 4, 6, 100]) {
      for (const page of [999_999_999, 8, 7, 3, 2, 1]) {
        expect(await list({ orgId, page, limit })).toEqual(modelPage(modelList(six, unfiltered), page, limit));
      }
    }
    expect(await list({ orgId: 'org_nobody' })).toEqual({ customers: [], hasMore: false });
  });

  it('customer pages do not depend on pages of another organisation, order, filter or size that were read before', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => aCustomer({ firstName: `N${index}`, addedUnix: 100 - index }));
    for (const orgId of ['org_book1', 'org_book2']) await givenCustomers(table, orgId, ten);
    await readAllPages(table, { orgId: 'org_book1', limit: 3 });
    for (const request of [{ orgId: 'org_book2', limit: 3 }, { limit: 4 }, { sort: 'first', limit: 3 }] as const) {
      const { limit, sort = 'added' } = { sort: 'added', ...request } as const;
      const found = await list({ orgId: 'org_book1', ...request, page: 2 });
      expect(found).toEqual(modelPage(modelList(ten, { ...unfiltered, sort }), 2, limit));
    }
  });
});

longSuite('customer pages while customers are added, removed and changed', () => {
  // Each order once, alternating in direction, with and without a search.
  const cases = customerOrders
    .filter((_, index) => index % 4 === 0 || index % 4 === 3)
    .map((order, index) => ({ ...order, search: index % 3 === 0 ? undefined : 'stay' }));

  it.each(cases)(
    'customer pages by $sort, descending: $descending, are those of the list as it is, in any order and in parallel',
    async (request) => {
      const { sort, descending, search } = request;
      const orgId = `org_walk_${sort}_${descending}`;
      const unchanged = Array.from({ length: 30 }, (_, index) =>
        aCustomer({
          firstName: `Stay ${(index * 37) % 30}`,
          lastName: `Stayer ${(index * 17) % 7}`,
          addedUnix: someSecond + (index % 9),
          emailAddress: `${(index * 31) % 30}@stay.example`,
        }),
      );
      const removable = Array.from({ length: 15 }, (_, index) =>
        aCustomer({ orgCustomerId: `go${index}`, firstName: `Stay ${index}`, addedUnix: someSecond + (index % 9) }),
      );
      await givenCustomers(table, orgId, [...unchanged, ...removable]);
      const present = new Map([...unchanged, ...removable].map((customer) => [customer.userId, customer]));
      for (const [round, removed] of removable.entries()) {
        const save = async (draft: Parameters<typeof saveCustomer>[2]): Promise<void> => {
          const saved = await saveCustomer(table, orgId, draft, someSecond + round);
          if ('customer' in saved) present.set(saved.customer.userId, saved.customer);
        };
        const expected = modelList([...present.values()], { sort, descending, search, updatedSince: undefined });
        const pages = [12, 4, 3, 1, 2, 7];
        const shown = await Promise.all(pages.map((page) => list({ orgId, ...request, limit: 4, page })));
        expect(shown).toEqual(pages.map((page) => modelPage(expected, page, 4)));
        if (round % 4 === 1) await applyPositionChanges(table, { orgId, resource: 'customers' });
        if (round % 3 === 0) {
          await removeCustomer(table, orgId, removed);
          present.delete(removed.userId);
        } else if (round % 3 === 1) {
          await save({ orgCustomerId: removed.orgCustomerId, firstName: `Stay ${round * 7}` });
        } else await save({ firstName: `Stay new ${round}`, emailAddress: `${round}@stay.example.org` });
      }
    },
  );
});
