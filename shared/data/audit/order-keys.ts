import * as v from 'valibot';
import { orderIdAt } from '../../domain/orders/order.ts';
import { allOrders, orderPositions, parseOrderPosition } from '../orders/positions.ts';
import { batchGet } from '../table/batch-get.ts';
import { orderKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** The keys that the orders at these keys should have; none for an order that does not exist. */
export async function keysOfOrders(table: Table, orgId: string, keys: readonly string[]): Promise<readonly string[]> {
  const positions = keys.map((key) => {
    const { eventId, sortKey } = parseOrderPosition(key);
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
    const { id: orderId, at: placedUnix, event: eventId, st: status } = order.output;
    return orderPositions({ orderId, placedUnix, eventId, status })[allOrders] ?? [];
  });
}

/** What a position contains. */
const PlacedOrder = v.object({
  id: v.number(),
  at: v.number(),
  event: v.number(),
  st: v.picklist(['pending', 'confirmed', 'cancelled', 'refunded']),
});

export const orderIdAtKey = (key: string): string => String(orderIdAt(parseOrderPosition(key).sortKey));
