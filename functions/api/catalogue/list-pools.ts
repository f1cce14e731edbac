import { readStock } from '../../../shared/data/prices/stock.ts';
import { parseEventId, requireEventWithCategories } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { poolResource } from '../../../shared/mappers/catalogue.ts';
import { listPools } from '../../../shared/operations/catalogue/list-pools.ts';

export const handle: Handle<typeof listPools> = async ({ params }, { caller, table }) => {
  const eventId = parseEventId(params.event_id);
  const [{ pools }, stocks] = await Promise.all([
    requireEventWithCategories(table, caller.orgId, eventId),
    readStock(table, caller.orgId, eventId),
  ]);
  // The numbers of pools count down.
  const inOrder = [...pools.values()].toSorted((one, other) => other.index - one.index);
  return { data: inOrder.map((pool) => poolResource(pool, stocks.get(pool.index))) };
};

export const handler = pipeline(listPools, handle);
