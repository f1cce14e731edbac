import * as v from 'valibot';
import { type OrderRecord, type OrderStatus, orderSortKey } from '../../domain/orders/order.ts';
import { type ItemKey, orderFilterKey } from '../table/keys.ts';

/** What the list of all orders of an organisation compares and reads: about 70 bytes for each order (ADR 0033). */
export interface OrderFilterRow {
  readonly sortKey: string;
  readonly eventId: number;
  readonly status: OrderStatus;
}

/** A status in a key or a small row. */
const letters = { pending: 'p', confirmed: 'k', cancelled: 'x', refunded: 'r' } as const satisfies Record<
  OrderStatus,
  string
>;
const statuses: Readonly<Record<string, OrderStatus>> = { p: 'pending', k: 'confirmed', x: 'cancelled', r: 'refunded' };
const base = 36;

const FilterItem = v.object({ sk: v.string(), f: v.string() });

/** The status as a letter, then the id of the event. */
export function orderFilterItem(orgId: string, order: OrderRecord): ItemKey & Readonly<Record<string, unknown>> {
  return {
    ...orderFilterKey(orgId, orderSortKey(order)),
    f: `${letterOf(order.status)}${order.eventId.toString(base)}`,
  };
}

export function parseOrderFilterRow(item: unknown): OrderFilterRow {
  const { sk, f } = v.parse(FilterItem, item);
  return { sortKey: sk, eventId: Number.parseInt(f.slice(1), base), status: statusOf(f.charAt(0)) };
}

export const letterOf = (status: OrderStatus): string => letters[status];

/** A letter that only a later release knows is read like an unknown status of an order. */
export const statusOf = (letter: string): OrderStatus => statuses[letter] ?? 'pending';
