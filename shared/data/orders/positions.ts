import { type OrderRecord, type OrderStatus, orderSortKey } from '../../domain/orders/order.ts';
import { secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { parseShortSortKey, shortSortKey } from '../lists/short-sort-key.ts';
import type { SortKeys } from '../positions/change.ts';
import type { KeyList } from '../positions/read.ts';
import { idLength, parseSortableText, secondLength, sortableText } from '../table/sortable-text.ts';

/** The list of all orders of an organisation, and that of those whose last change is known, by that change. */
export const allOrders = 'all';
export const changedOrders = 'updated';

/** Where an order is, and what the filters of the list of all orders compare. */
export interface OrderPosition {
  readonly sortKey: string;
  readonly eventId: number;
  readonly status: OrderStatus;
}

/** A page of a list, before its orders are read. */
export interface PositionsPage {
  readonly rows: readonly OrderPosition[];
  readonly hasMore: boolean;
}

/** A status in a key. */
const letters = { pending: 'p', confirmed: 'k', cancelled: 'x', refunded: 'r' } as const satisfies Record<
  OrderStatus,
  string
>;
const statuses: Readonly<Record<string, OrderStatus>> = { p: 'pending', k: 'confirmed', x: 'cancelled', r: 'refunded' };

export const letterOf = (status: OrderStatus): string => letters[status];

/** A letter that only a later release knows is read like an unknown status of an order. */
export const statusOf = (letter: string): OrderStatus => statuses[letter] ?? 'pending';

const positionLength = secondLength + idLength;

/**
 * The position of an order is the time at which it was placed, and never changes. The status and the event follow it in the key, so
 * the keys of the tree are all that a list with a status has to read (ADR 0033). By its last change, what follows says where its row is.
 */
export function orderPositions({
  placedUnix,
  updatedUnix,
  orderId,
  status,
  eventId,
}: Pick<OrderRecord, 'placedUnix' | 'updatedUnix' | 'orderId' | 'status' | 'eventId'>): SortKeys {
  const position = shortSortKey(placedUnix, orderId);
  const event = sortableText(eventId, idLength);
  return {
    [allOrders]: `${position}${letterOf(status)}${event}`,
    ...(updatedUnix !== undefined && {
      [changedOrders]: `${shortSortKey(updatedUnix, orderId)}${sortableText(placedUnix, secondLength)}${event}`,
    }),
  };
}

/** The keys of the orders of an organisation that were placed in a range of time, newest first. */
export function ordersInTime(orgId: string, range: TimeRange): KeyList {
  const { from, to } = secondsOf(range);
  return {
    orgId,
    resource: 'orders',
    list: allOrders,
    descending: true,
    from: range.after === undefined ? undefined : positionAtSecond(from),
    to: range.before === undefined ? undefined : positionAtSecond(to),
  };
}

/** A key that is lower than those of all orders that were placed in this second or later, and higher than all others. */
const positionAtSecond = (unix: number): string => sortableText(unix, secondLength);

/** The keys of the orders of an organisation that changed after a second, or follow a key, by their last change. */
export function ordersChanged(orgId: string, updatedSince: number, after: string | undefined): KeyList {
  const from = after === undefined ? positionAtSecond(updatedSince + 1) : `${after}\u0000`;
  return { orgId, resource: 'orders', list: changedOrders, descending: false, from };
}

/** Where the order at a key of the list by last change is. */
export function parseChangedPosition(key: string): Omit<OrderPosition, 'status'> {
  const { id: orderId } = parseShortSortKey(key);
  const placedUnix = parseSortableText(key.slice(positionLength, positionLength + secondLength));
  return {
    sortKey: orderSortKey({ placedUnix, orderId }),
    eventId: parseSortableText(key.slice(positionLength + secondLength)),
  };
}

export const statusAtKey = (key: string): OrderStatus => statusOf(key.charAt(positionLength));

export function parseOrderPosition(key: string): OrderPosition {
  const { second, id } = parseShortSortKey(key);
  return {
    sortKey: orderSortKey({ placedUnix: second, orderId: id }),
    eventId: parseSortableText(key.slice(positionLength + 1)),
    status: statusAtKey(key),
  };
}
