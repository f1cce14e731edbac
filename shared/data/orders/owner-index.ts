import * as v from 'valibot';
import type { OrderRecord } from '../../domain/orders/order.ts';
import { secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import type { RowRange } from '../lists/range-reader.ts';
import { shortSortKey } from '../lists/short-sort-key.ts';
import { parseEventPartition } from '../table/keys.ts';
import { secondLength, sortableText } from '../table/sortable-text.ts';
import { letterOf, type OrderPosition, statusOf } from './positions.ts';

/**
 * Index by6 lists the orders of a customer by the row of the order, and those of an email address by the item of its tickets. The
 * index shows only keys, about 107 bytes for each order, because all orders before a page are read (ADR 0038). So the keys contain
 * the status, and the time and the id of the order in as few characters as sort like them.
 */
export function ownerIndexKeys(
  partition: string,
  { placedUnix, orderId, status }: OrderRecord,
): { readonly by6pk: string; readonly by6sk: string } {
  return { by6pk: partition, by6sk: `${shortSortKey(placedUnix, orderId)}${letterOf(status)}` };
}

const IndexRow = v.object({ pk: v.string(), sk: v.string(), by6sk: v.string() });

function parseIndexRow(item: unknown): OrderPosition {
  const { pk, sk, by6sk } = v.parse(IndexRow, item);
  return { sortKey: sk, eventId: parseEventPartition(pk).eventId, status: statusOf(by6sk.slice(-1)) };
}

/** The orders in a partition of the index that were placed in a range of time. */
export function ownedOrders(partition: string, range: TimeRange = {}): RowRange<OrderPosition> {
  const { from, to } = secondsOf(range);
  // The text of a second sorts before all orders of that second.
  return {
    partition,
    index: { name: 'by6' },
    from: sortableText(from, secondLength),
    to: sortableText(to, secondLength),
    parse: parseIndexRow,
  };
}
