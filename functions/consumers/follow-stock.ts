import { stockOwner } from '../../shared/data/keys.ts';
import { followStock } from '../../shared/data/sold-out.ts';
import { reasonOf } from '../../shared/platform/failure-reason.ts';
import { log } from '../../shared/platform/log.ts';
import { streamWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/platform.ts';

/** Many changes of one event are followed once: what counts is what is left now. */
export const handler = streamWorker(async (records) => {
  const partitionOf = (record: (typeof records)[number]): string => record.dynamodb?.Keys?.pk?.S ?? '';
  const failed = new Set<string>();
  for (const pk of new Set(records.map(partitionOf))) {
    const { orgId, eventId } = stockOwner(pk);
    try {
      await followStock(workerTable(), orgId, eventId);
    } catch (error) {
      failed.add(pk);
      log.error('stock not followed', { org_id: orgId, event_id: eventId, ...reasonOf(error) });
    }
  }
  return records.filter((record) => failed.has(partitionOf(record)));
});
