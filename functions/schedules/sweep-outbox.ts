import { publish } from '../../shared/events/bus.ts';
import { claimOverdue } from '../../shared/events/sweep.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { countOutcome } from '../../shared/platform/log.ts';
import { workerTable } from '../../shared/workers/platform.ts';

export const handler = async (): Promise<void> => {
  for await (const events of claimOverdue(workerTable(), unixSeconds(systemClock))) {
    const failed = await publish(events);
    countOutcome('sweep-outbox', 'Republished', events.length - failed.length);
    if (failed.length > 0) countOutcome('sweep-outbox', 'NotPublished', failed.length);
  }
};
