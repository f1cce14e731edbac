import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { type CustomerSort, idOfSortKey, isTimeSort, sortKeyOf, timeSortKeyOf } from '../../domain/customers/sort.ts';
import { type Match, readMatching, smallRowsPerRow } from '../lists/candidates.ts';
import { allKeys } from '../positions/all-keys.ts';
import { batchGet } from '../table/batch-get.ts';
import { customerKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseCustomer } from './row.ts';

/**
 * How many small rows cost as much as a customer in a sort order. The view by email address has the keys of its indexes too, and
 * so have the orders by name.
 */
export const rowCostOf = (sort: CustomerSort): number => (isTimeSort(sort) ? smallRowsPerRow : smallRowsPerView);
const smallRowsPerView = 5;

/** Up to this many customers are read by their keys, instead of the names of all customers. */
const fewCustomers = 150;

interface PositionedList {
  readonly orgId: string;
  readonly sort: CustomerSort;
  readonly matchesFilter: (customer: CustomerRecord) => boolean;
}

type TimedCustomer = Pick<CustomerRecord, 'userId' | 'updatedUnix'>;

/**
 * Returns the positions of customers in a sort order. Those by time follow from what is known. For the others, the keys of the
 * whole list are read from its position tree.
 */
export async function customerMatchesOf(
  table: Table,
  { orgId, sort, matchesFilter }: PositionedList,
  customers: readonly TimedCustomer[],
): Promise<readonly Match<CustomerRecord>[]> {
  if (isTimeSort(sort)) {
    return customers.map((customer) => ({ id: customer.userId, sortKey: timeSortKeyOf(sort, customer) }));
  }
  if (customers.length <= fewCustomers) {
    const readRows = (found: readonly { readonly id: number }[], consistent: boolean) =>
      readCustomers(table, orgId, found, consistent);
    const found = customers.map(({ userId }) => ({ id: userId }));
    const rows = await readMatching({ idOf: ({ userId }) => userId, matchesFilter, readRows }, found);
    return [...rows].map(([id, row]) => ({ id, sortKey: sortKeyOf(sort, row), row }));
  }
  const wanted = new Set(customers.map(({ userId }) => userId));
  return [...(await allKeys(table, { orgId, resource: 'customers' }, sort))]
    .map((sortKey) => ({ id: Number(idOfSortKey(sortKey)), sortKey }))
    .filter(({ id }) => wanted.has(id));
}

export async function readCustomers(
  table: Table,
  orgId: string,
  customers: readonly { readonly id: number }[],
  consistent: boolean,
): Promise<readonly CustomerRecord[]> {
  const keys = customers.map(({ id }) => customerKey(orgId, id));
  return (await batchGet(table, keys, { consistent })).map(parseCustomer);
}
