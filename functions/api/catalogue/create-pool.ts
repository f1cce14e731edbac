import { newCode } from '../../../shared/catalogue/new-code.ts';
import { savePool } from '../../../shared/data/prices/save-pool.ts';
import { parseEventId, requireEventWithCategories } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { codeTaken, tooManyPrices } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { poolResource } from '../../../shared/mappers/catalogue.ts';
import { createPool } from '../../../shared/operations/catalogue/create-pool.ts';
import { Fault } from '../../../shared/platform/fault.ts';

export const handle: Handle<typeof createPool> = async ({ params, body }, { caller, table, receipt }) => {
  const { orgId } = caller;
  const { event } = await requireEventWithCategories(table, orgId, parseEventId(params.event_id));
  const { code, title, capacity } = body;
  const stock = { avail: capacity, capacity };
  const draft = { eventId: event.eventId, code: code ?? newCode(), title, capacity };
  const saved = await savePool(table, orgId, draft, {
    expected: 0,
    sideEffects: ({ after }) => receipt(poolResource(after, stock)),
  });
  switch (saved.outcome) {
    case 'version_changed':
      throw codeTaken('pool');
    case 'too_many_pools':
      throw tooManyPrices();
    case 'capacity_taken':
      throw new Fault('A new pool has nothing that is taken.');
    default:
      return poolResource(saved.pool, stock);
  }
};

export const handler = pipeline(createPool, handle);
