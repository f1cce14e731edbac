import { readInventory } from '../../../shared/data/inventory/read.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { inventoryRow } from '../../../shared/mappers/event-inventory.ts';
import { eventInventory } from '../../../shared/operations/events/event-inventory.ts';

export const handle: Handle<typeof eventInventory> = async ({ params }, { caller, table }) => {
  const eventId = parseEventId(params.event_id);
  const inventory = await readInventory(table, { orgId: caller.orgId, eventId });
  if (inventory === undefined) throw notFound('event');
  return { event_id: String(eventId), data: inventory.stocks.map((stock) => inventoryRow(inventory, stock)) };
};

export const handler = pipeline(eventInventory, handle);
