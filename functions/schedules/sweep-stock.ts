import { updateOverdueSoldOut } from '../../shared/data/events/sold-out.ts';
import { releaseOverdueBlocks } from '../../shared/data/seats/blocks.ts';
import { forgetEndedOffers } from '../../shared/data/transfers/ended-offers.ts';
import { startTimeBudget, systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { reasonOf } from '../../shared/platform/failure-reason.ts';
import { Fault } from '../../shared/platform/fault.ts';
import { log } from '../../shared/platform/log.ts';
import { sweepWaitingLists } from '../../shared/sales/waiting-list/sweep-waiting-lists.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** The next run begins a minute after this one. */
const listSeconds = 40;

export const handler = scheduleWorker(async () => {
  const nowUnix = unixSeconds(systemClock);
  const failed = await updateOverdueSoldOut(workerTable(), nowUnix);
  for (const { orgId, eventId, error } of failed) {
    log.error('The stock of an event could not be updated', { org_id: orgId, event_id: eventId, ...reasonOf(error) });
  }
  const blocked = await releaseOverdueBlocks(workerTable(), nowUnix);
  for (const { orgId, eventId, blockId, error } of blocked) {
    const fields = { org_id: orgId, event_id: eventId, seat_block_id: blockId };
    log.error('Blocked seats could not be released', { ...fields, ...reasonOf(error) });
  }
  const offers = await forgetEndedOffers(workerTable(), nowUnix);
  for (const { orgId, error } of offers) {
    log.error('The address of an ended offer could not be removed', { org_id: orgId, ...reasonOf(error) });
  }
  const lists = await sweepWaitingLists({
    table: workerTable(),
    clock: systemClock,
    hasTime: startTimeBudget(listSeconds),
  });
  // Raises the alarm on this function's errors. The others are done, and these stay due.
  const count = failed.length + blocked.length + offers.length + lists;
  if (count > 0)
    throw new Fault(
      `The stock, the blocked seats, the waiting lists or the offers of ${count} events could not be updated.`,
    );
});
