import { updateOverdueSoldOut } from '../../shared/data/events/sold-out.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { reasonOf } from '../../shared/platform/failure-reason.ts';
import { Fault } from '../../shared/platform/fault.ts';
import { log } from '../../shared/platform/log.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = scheduleWorker(async () => {
  const failed = await updateOverdueSoldOut(workerTable(), unixSeconds(systemClock));
  for (const { orgId, eventId, error } of failed) {
    log.error('The stock of an event could not be updated', { org_id: orgId, event_id: eventId, ...reasonOf(error) });
  }
  // Raises the alarm on this function's errors. The other events are done, and these stay due.
  if (failed.length > 0) throw new Fault(`The stock of ${failed.length} events could not be updated.`);
});
