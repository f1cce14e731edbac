import { scheduleSoldOutUpdate, updateSoldOut } from '../../shared/data/events/sold-out.ts';
import { parseEventPartition } from '../../shared/data/table/keys.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { reasonOf } from '../../shared/platform/failure-reason.ts';
import { log } from '../../shared/platform/log.ts';
import { streamWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/**
 * Updates each event once per batch, because only its current stock counts. An event that fails is left to the sweeper. If not
 * even the sweeper's hint can be written, the table is unavailable, and the stream retries the records.
 */
export const handler = streamWorker(async (records) => {
  // The stock of an event has several partitions.
  const eventOf = (record: (typeof records)[number]): string => {
    const { orgId, eventId } = parseEventPartition(record.dynamodb?.Keys?.pk?.S ?? '');
    return `${orgId}#${eventId}`;
  };
  const failed = new Set<string>();
  const table = workerTable();
  for (const event of new Set(records.map(eventOf))) {
    const [orgId = '', id] = event.split('#');
    const eventId = Number(id);
    try {
      await updateSoldOut(table, orgId, eventId);
    } catch (error) {
      log.error('The stock of an event could not be updated', { org_id: orgId, event_id: eventId, ...reasonOf(error) });
      await scheduleSoldOutUpdate(table, orgId, eventId, unixSeconds(systemClock)).catch(() => failed.add(event));
    }
  }
  return records.filter((record) => failed.has(eventOf(record)));
});
