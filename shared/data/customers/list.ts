import { type CustomerRecord, lastChangedUnixOf } from '../../domain/customers/customer.ts';
import { customerMatches } from '../../domain/customers/search.ts';
import type { CustomerSort } from '../../domain/customers/sort.ts';
import { parseSearch } from '../../domain/search/query.ts';
import { readListPage } from '../lists/list-page.ts';
import { locatePosition } from '../positions/locate.ts';
import type { Table } from '../table/table.ts';
import { changedCustomers } from './changed.ts';
import { sortedRange } from './ranges.ts';
import { searchCustomers } from './search.ts';

export interface CustomerListing {
  readonly orgId: string;
  readonly sort: CustomerSort;
  readonly descending: boolean;
  readonly search: string | undefined;
  readonly updatedSince: number | undefined;
  readonly page: number;
  readonly limit: number;
}

export interface CustomerPage {
  readonly customers: readonly CustomerRecord[];
  readonly hasMore: boolean;
}

export async function listCustomers(table: Table, listing: CustomerListing): Promise<CustomerPage> {
  const { orgId, sort, descending, updatedSince, page, limit } = listing;
  const search = parseSearch(listing.search ?? '');
  const order = sortedRange(orgId, sort, updatedSince);
  const changedAfter = (customer: Pick<CustomerRecord, 'userId' | 'updatedUnix'>): boolean =>
    updatedSince === undefined || lastChangedUnixOf(customer) > updatedSince;
  const matchesFilter = (customer: CustomerRecord): boolean =>
    changedAfter(customer) && (search === undefined || customerMatches(customer, search));
  const list = {
    page,
    limit,
    descending,
    order,
    matchesFilter,
    ...(search !== undefined && {
      found: searchCustomers(table, {
        orgId,
        sort,
        search,
        matchesFilter,
        changedAfter,
        inOrder: { descending, count: page * limit + 1 },
      }),
    }),
    // Sorted by last change, `order` itself starts at `updatedSince`.
    ...(search === undefined &&
      updatedSince !== undefined &&
      sort !== 'updated' && { found: changedCustomers(table, { orgId, sort, descending, updatedSince }) }),
  };
  const isLocatable = !('found' in list);
  const locate = (offset: number) =>
    locatePosition(table, { orgId, resource: 'customers', list: sort, descending, from: order.from }, offset);
  const { rows, hasMore } = await readListPage(table, { ...list, ...(isLocatable && { locate }) });
  return { customers: rows, hasMore };
}
