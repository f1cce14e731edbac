import { type CustomerRecord, lastChangedUnixOf } from '../../domain/customers/customer.ts';
import { customerMatches } from '../../domain/customers/search.ts';
import type { CustomerSort } from '../../domain/customers/sort.ts';
import { parseSearch } from '../../domain/search/query.ts';
import { type RowList, readListPage } from '../lists/list-page.ts';
import { locatePosition } from '../lists/locate-position.ts';
import type { Table } from '../table/table.ts';
import { changedCustomers, searchedCustomers } from './found.ts';
import { sortedRange } from './ranges.ts';

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
  const matchesFilter = (customer: CustomerRecord): boolean =>
    (updatedSince === undefined || lastChangedUnixOf(customer) > updatedSince) &&
    (search === undefined || customerMatches(customer, search));
  const filters = { orgId, sort, descending, matchesFilter };
  const filtered = (): Pick<RowList<CustomerRecord>, 'found' | 'locate'> => {
    if (search !== undefined) return { found: searchedCustomers(table, { ...filters, search, updatedSince }) };
    // Sorted by last change, `order` itself starts at `updatedSince`.
    if (updatedSince !== undefined && sort !== 'updated')
      return { found: changedCustomers(table, { ...filters, updatedSince }) };
    const positions = { orgId, resource: 'customers', list: sort, descending, from: order.from } as const;
    return { locate: (offset) => locatePosition(table, positions, offset) };
  };
  const list = { page, limit, descending, order, matchesFilter, ...filtered() };
  const { rows, hasMore } = await readListPage(table, list);
  return { customers: rows, hasMore };
}
