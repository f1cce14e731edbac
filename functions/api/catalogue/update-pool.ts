import { updatePool as update } from '../../../shared/catalogue/save-pool.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { given } from '../../../shared/domain/given.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { indexInEvent } from '../../../shared/http/handlers/input/price-input.ts';
import { capacityTaken, tooManyPrices } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { versionConflict } from '../../../shared/http/if-match.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { poolResource } from '../../../shared/mappers/catalogue.ts';
import { updatePool } from '../../../shared/operations/catalogue/update-pool.ts';

export const handle: Handle<typeof updatePool> = async ({ params, body }, { caller, table, ifMatch }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const index = indexInEvent(parseId(params.pool_id), eventId);
  if (index === undefined) throw notFound('pool');
  const saved = await update(table, orgId, { eventId, index }, { change: given(body), ifMatch });
  switch (saved.outcome) {
    case 'pool_missing':
      throw notFound('pool');
    case 'version_changed':
      throw versionConflict('pool', saved.version);
    case 'capacity_taken':
      throw capacityTaken(saved.taken, 'places');
    case 'too_many_pools':
      throw tooManyPrices();
    default:
      return poolResource(saved.pool, (await readStock(table, orgId, eventId)).get(index));
  }
};

export const handler = pipeline(updatePool, handle);
