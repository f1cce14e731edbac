import * as v from 'valibot';
import { parseShortSortKey } from '../lists/short-sort-key.ts';
import { allOrders, orderPositions, parseChangedPosition, parseOrderPosition } from '../orders/positions.ts';
import { batchGet } from '../table/batch-get.ts';
import { orderKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** The keys that the orders at these keys of a list should have; none for an order that does not exist. */
export async function keysOfOrders(
  table: Table,
  { orgId, list }: { readonly orgId: string; readonly list: string },
  keys: readonly string[],
): Promise<readonly string[]> {
  const parse = list === allOrders ? parseOrderPosition : parseChangedPosition;
  const positions = keys.map((key) => {
    const { eventId, sortKey } = parse(key);
    return { key, row: orderKey(orgId, eventId, sortKey) };
  });
  const rows = await batchGet(
    table,
    positions.map(({ row }) => row),
    { consistent: true },
  );
  const found = new Map(rows.map((row) => [`${row.pk} ${row.sk}`, row]));
  return positions.flatMap(({ key, row: { pk, sk } }) => {
    const row = found.get(`${pk} ${sk}`);
    if (row === undefined) return [];
    const order = v.safeParse(PlacedOrder, row);
    // The audit of the event reports a row that cannot be read.
    if (!order.success) return [key];
    const { id: orderId, at: placedUnix, upd: updatedUnix, event: eventId, st: status } = order.output;
    return orderPositions({ orderId, placedUnix, updatedUnix, eventId, status })[list] ?? [];
  });
}

/** What a position contains. */
const PlacedOrder = v.object({
  id: v.number(),
  at: v.number(),
  upd: v.optional(v.number()),
  event: v.number(),
  st: v.picklist(['pending', 'confirmed', 'cancelled', 'refunded']),
});

/** Every key begins with a time and the id. */
export const orderIdAtKey = (key: string): string => String(parseShortSortKey(key).id);
