import type { OrderRecord } from '../../domain/orders/order.ts';
import { secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import type { RowRange } from '../lists/range-reader.ts';
import { shortSortKey } from '../lists/short-sort-key.ts';
import { partition } from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { secondLength, sortableText } from '../table/sortable-text.ts';

/** The orders with a reference, in index by5. A reference is free text, so only a hash of it and of the organisation is in the key. */
export const referencedOrdersPartition = (orgId: string, reference: string, hash: PersonHash): string =>
  partition('ORU', hash.reference(orgId, reference));

/**
 * Index by5 lists the orders with a reference of another system. It has the rows themselves, so one Query finds the order, and other filters
 * read nothing more. A row without a reference is not in it, and costs nothing (ADR 82).
 */
export function referenceIndexKeys(
  orgId: string,
  { externalReference, placedUnix, orderId }: OrderRecord,
  hash: PersonHash,
): object {
  if (externalReference === undefined) return {};
  return {
    by5pk: referencedOrdersPartition(orgId, externalReference, hash),
    by5sk: shortSortKey(placedUnix, orderId),
  };
}

/** The orders with a reference that were placed in a range of time. */
export function referencedOrders(
  of: string,
  range: TimeRange,
  parse: (item: unknown) => OrderRecord,
): RowRange<OrderRecord> {
  const { from, to } = secondsOf(range);
  // The text of a second sorts before all orders of that second.
  return {
    partition: of,
    index: { name: 'by5' },
    from: sortableText(from, secondLength),
    to: sortableText(to, secondLength),
    parse,
  };
}
