import { readDeviceLogs } from '../../shared/documents/apple-registration.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { log } from '../../shared/platform/log.ts';
import { startSample } from '../../shared/platform/sample.ts';
import { plainText, routeWorker } from '../../shared/workers/route.ts';

/** One report a minute of each instance shows what is wrong. Everyone can send reports, and each line is paid for. */
const sample = startSample(60_000, systemClock);

/** Devices report here why a pass could not be added or updated. */
export const handler = routeWorker(async ({ body }) => {
  const sampled = sample();
  const lines = sampled === undefined ? [] : readDeviceLogs(body);
  for (const line of lines)
    log.warn('A device reports a problem with a pass', { line, reports_left_out: sampled?.leftOut });
  return plainText(200, '');
});
