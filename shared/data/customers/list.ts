import { type CustomerRecord, lastChangedUnixOf } from '../../domain/customers/customer.ts';
import { customerMatches } from '../../domain/customers/search.ts';
import { type CustomerSort, sortKeyOf } from '../../domain/customers/sort.ts';
import { parseSearch } from '../../domain/search/query.ts';
import { readListPage } from '../lists/list-page.ts';
import { locatePosition } from '../positions/locate.ts';
import type { Table } from '../table/table.ts';
import { sortedRange } from './ranges.ts';
import { customerCandidates } from './search.ts';

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
  // Sorted by last change, `order` itself starts at `updatedSince`, so no candidate range is needed for it.
  const candidateFilters = { orgId, search, updatedSince: sort === 'updated' ? undefined : updatedSince };
  const order = sortedRange(orgId, sort, updatedSince);
  const isLocatable = search === undefined && candidateFilters.updatedSince === undefined;
  const list = {
    page,
    limit,
    descending,
    order,
    sortKeyOf: (customer: CustomerRecord) => sortKeyOf(sort, customer),
    matchesFilter: (customer: CustomerRecord) =>
      (updatedSince === undefined || lastChangedUnixOf(customer) > updatedSince) &&
      (search === undefined || customerMatches(customer, search)),
    candidateRanges: customerCandidates(table, candidateFilters),
    ...(isLocatable && {
      locate: (offset: number) =>
        locatePosition(table, { orgId, resource: 'customers', list: sort, descending, from: order.from }, offset),
    }),
    idOf: ({ userId }: CustomerRecord) => userId,
    versionOf: ({ version }: CustomerRecord) => version,
  };
  const { rows, hasMore } = await readListPage(table, list);
  return { customers: rows, hasMore };
}
