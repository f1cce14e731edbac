import { canary } from '../../shared/platform/env.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { holdAndRelease, parseCanary } from '../../shared/workers/canary-hold.ts';

/** A failure is an error of the function, which raises its alarm. */
export const handler = scheduleWorker(async () => {
  const settings = canary();
  if (settings !== 'none') await holdAndRelease(parseCanary(settings));
});
