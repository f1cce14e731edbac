import { beforeAll, describe, expect, it } from 'vitest';
import { type CustomerListing, listCustomers } from '../../../shared/data/customers/list.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import { aCustomer, givenCustomers } from '../../support/customers.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const numbered = (from: number, count: number): CustomerRecord[] =>
  Array.from({ length: count }, (_, index) => aCustomer({ addedUnix: 1_700_000_000 + from + index }));

const now = 1_794_700_000;

/** The pages of an organisation's customers, newest first, three per page. */
function pagesOf(orgId: string) {
  const listing = { sort: 'added', descending: true, search: undefined, updatedSince: undefined, limit: 3 } as const;
  return async (page: number, at: number, owner: Pick<CustomerListing, 'pageOwner'> = {}) => {
    const { customers } = await listCustomers(table, { ...listing, orgId, page, ...owner }, at);
    return customers.map(({ userId }) => userId);
  };
}

const idsNewestFirst = (customers: readonly CustomerRecord[]): number[] =>
  customers.map(({ userId }) => userId).sort((one, other) => other - one);

describe('page positions', () => {
  it('pages by number return everybody once in any order, whatever page positions an earlier reading has stored', async () => {
    const page = pagesOf('org_earlier');
    const before = await givenCustomers(table, 'org_earlier', numbered(0, 9));
    for (const number of [1, 2, 3]) await page(number, now);
    const since = await givenCustomers(table, 'org_earlier', numbered(100, 5));
    const pages = await Promise.all([5, 4, 3, 2, 1].map((number) => page(number, now + 60)));
    expect(pages.reverse().flat()).toEqual(idsNewestFirst([...before, ...since]));
  });

  it('page positions of one API key are not affected by those of another key', async () => {
    const page = pagesOf('org_together');
    const before = await givenCustomers(table, 'org_together', numbered(0, 9));
    const seen = [...(await page(1, now, { pageOwner: 'a' })), ...(await page(2, now, { pageOwner: 'a' }))];
    await givenCustomers(table, 'org_together', numbered(100, 2));
    for (const number of [1, 2]) await page(number, now, { pageOwner: 'b' });
    seen.push(...(await page(3, now, { pageOwner: 'a' })));
    expect(seen).toEqual(idsNewestFirst(before));
  });
});
