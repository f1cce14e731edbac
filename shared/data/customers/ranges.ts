import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { type CustomerSort, firstSortKeyChangedAfter, idOfSortKey } from '../../domain/customers/sort.ts';
import type { RowRange } from '../lists/range-reader.ts';
import { customersPartition, customerViewPartition } from '../table/keys.ts';
import { nameIndexes } from './items.ts';
import { parseCustomer } from './row.ts';

type CustomerRange = RowRange<CustomerRecord>;

/** All customers in a sort order. Only the order by last change can start at a time. */
export function sortedRange(orgId: string, sort: CustomerSort, updatedSince: number | undefined): CustomerRange {
  switch (sort) {
    case 'updated':
      return changedRange(orgId, updatedSince);
    case 'added':
      return { partition: customersPartition(orgId), parse: parseCustomer };
    case 'email':
      return { partition: customerViewPartition(orgId, sort), parse: parseCustomer };
    case 'first':
    case 'last':
      return {
        index: { name: nameIndexes[sort] },
        partition: customerViewPartition(orgId, sort),
        parse: parseCustomer,
      };
  }
}

/** The customers that changed after a time, in the order of their last change. */
export function changedRange(orgId: string, since: number | undefined): CustomerRange {
  const partition = customersPartition(orgId);
  return {
    index: { name: 'by1', keyAt: (sortKey) => ({ pk: partition, sk: idOfSortKey(sortKey) }) },
    partition,
    ...(since !== undefined && { from: firstSortKeyChangedAfter(since) }),
    parse: parseCustomer,
  };
}

/** The customers with this org_customer_id, ignoring case and accents. */
export function idRange(orgId: string, id: string): CustomerRange {
  return { partition: customerViewPartition(orgId, 'id'), prefix: `${id}\u0000`, parse: parseCustomer };
}
