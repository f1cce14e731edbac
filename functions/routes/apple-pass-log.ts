import { readDeviceLogs } from '../../shared/documents/apple-registration.ts';
import { log } from '../../shared/platform/log.ts';
import { plainText, routeWorker } from '../../shared/workers/route.ts';

/** Devices report here why a pass could not be added or updated. */
export const handler = routeWorker(async ({ body }) => {
  for (const line of readDeviceLogs(body)) log.warn('A device reports a problem with a pass', { line });
  return plainText(200, '');
});
