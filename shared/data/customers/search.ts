import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { type CustomerSort, sortKeyOf } from '../../domain/customers/sort.ts';
import { parseId } from '../../domain/ids.ts';
import type { SearchQuery } from '../../domain/search/query.ts';
import { readRange } from '../lists/range-reader.ts';
import { WordSearch } from '../lists/word-search.ts';
import type { Table } from '../table/table.ts';
import { type CustomerEntry, customerWordRange } from './items.ts';
import { customerMatchesOf, readCustomers, rowCostOf } from './positioned.ts';
import { idRange } from './ranges.ts';
import { readCustomer } from './read.ts';

interface Search {
  readonly orgId: string;
  readonly sort: CustomerSort;
  readonly search: SearchQuery;
  readonly matchesFilter: (customer: CustomerRecord) => boolean;
  readonly changedAfter: (customer: Pick<CustomerRecord, 'userId' | 'updatedUnix'>) => boolean;
  readonly inOrder: { readonly descending: boolean; readonly count: number };
}

/** The customers that have the words of a search, or whose id is one. */
export function searchCustomers(table: Table, { orgId, sort, search, matchesFilter, changedAfter, inOrder }: Search) {
  const readRows = (customers: readonly { readonly id: number }[], consistent: boolean) =>
    readCustomers(table, orgId, customers, consistent);
  const idOf = ({ userId }: CustomerRecord): number => userId;
  const candidates = new WordSearch<CustomerRecord, CustomerEntry>(table, {
    search,
    rangeOf: customerWordRange(orgId),
    rowsWithIds: async (ids) => (await Promise.all(ids.map((id) => customersWithId(table, orgId, id)))).flat(),
    passes: changedAfter,
    matchesFilter,
    idOf,
    sortKeyOf: (customer) => sortKeyOf(sort, customer),
    matchesOf: (entries) => customerMatchesOf(table, { orgId, sort, matchesFilter }, entries),
    readRows,
    // The words have the id, which is the order in which customers were added.
    ...(sort === 'added' && { inOrder }),
  });
  return { candidates, idOf, readRows, rowCost: rowCostOf(sort) };
}

/** Returns the customers whose org_customer_id or user id is exactly this text. */
async function customersWithId(table: Table, orgId: string, id: string): Promise<readonly CustomerRecord[]> {
  const userId = parseId(id);
  const [byOwnId, byUserId] = await Promise.all([
    readRange(table, idRange(orgId, id), pageSize),
    userId === undefined ? undefined : readCustomer(table, orgId, userId),
  ]);
  return byUserId === undefined ? byOwnId : [...byOwnId, byUserId];
}

/** Few customers have ids that differ only in case or accents, so a page is small. */
const pageSize = 10;
