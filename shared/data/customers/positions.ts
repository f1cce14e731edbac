import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { type CustomerSort, sortKeyOf } from '../../domain/customers/sort.ts';
import type { SortKeys } from '../positions/change.ts';

const sorts = ['added', 'updated', 'first', 'last', 'email'] as const satisfies readonly CustomerSort[];

/** The positions of a customer: its sort key in each sort order. */
export function customerPositions(record: CustomerRecord): SortKeys {
  return Object.fromEntries(sorts.map((sort) => [sort, sortKeyOf(sort, record)]));
}
