import * as v from 'valibot';
import { handle } from '../../functions/api/events/event-inventory.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { eventInventory } from '../../shared/operations/events/event-inventory.ts';
import { EventInventoryRow } from '../../shared/operations/schemas/event-inventory.ts';
import { callHandler } from './call-handler.ts';

export async function inventoryOf(table: Table, orgId: string, eventId: number): Promise<readonly EventInventoryRow[]> {
  const { data } = await callHandler(
    eventInventory,
    handle,
    { params: { event_id: String(eventId) } },
    { table, orgId },
  );
  return v.parse(v.array(EventInventoryRow), data);
}

/** What is wrong with an inventory: a negative figure, parts that are larger than their whole, or a sum that is not the capacity. */
export function wrongIn(rows: readonly EventInventoryRow[]): readonly EventInventoryRow[] {
  return rows.filter((row) => {
    const { capacity, sold, complimentary, held, offered, blocked, members, free, prices } = row;
    const figures = [capacity, sold, complimentary, held, offered, blocked, members, free];
    const soldByPrices = prices.reduce((sum, price) => sum + price.sold, 0);
    return (
      figures.some((figure) => figure < 0) ||
      capacity !== sold + held + blocked + members + free ||
      complimentary > sold ||
      offered > held ||
      soldByPrices !== sold
    );
  });
}
