import { type CustomerListing, type CustomerPage, listCustomers } from '../../shared/data/customers/list.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';

const sorts = ['added', 'updated', 'first', 'last', 'email'] as const;

/** Every order of the list. */
export const customerOrders = sorts.flatMap((sort) => [true, false].map((descending) => ({ sort, descending })));

export const unfiltered = { sort: 'added', descending: false, search: undefined, updatedSince: undefined } as const;

export type ListRequest = Partial<CustomerListing> & { readonly orgId: string };

export function listPage(table: Table, request: ListRequest): Promise<CustomerPage> {
  return listCustomers(table, { ...unfiltered, page: 1, limit: 20, ...request });
}

/** Reads all pages in sequence, and runs a concurrent action with each. */
export async function readAllPages(
  table: Table,
  request: ListRequest & { readonly limit: number },
  concurrently: () => Promise<unknown> = async () => undefined,
): Promise<CustomerRecord[]> {
  const shown: CustomerRecord[] = [];
  for (let page = 1; ; page += 1) {
    const [{ customers, hasMore }] = await Promise.all([listPage(table, { ...request, page }), concurrently()]);
    shown.push(...customers);
    if (!hasMore) return shown;
    if (customers.length !== request.limit) throw new Error('A page that is not the last is not full.');
  }
}
