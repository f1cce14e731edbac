import { passesOfDevice } from '../../shared/data/wallets/devices.ts';
import { readDeviceId } from '../../shared/documents/apple-registration.ts';
import { changedPasses } from '../../shared/documents/apple-subject.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { plainText, routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** The passes of a device that have changed since it asked last. Apple sends no token here: a device's id is random. */
export const handler = routeWorker(async ({ params, query }) => {
  const deviceId = readDeviceId(params);
  if (deviceId === undefined) return plainText(404, 'No such device.');
  const table = workerTable();
  const serials = await passesOfDevice(table, deviceId);
  const changes = await changedPasses(table, serials, {
    since: query.passesUpdatedSince ?? '',
    nowUnix: unixSeconds(systemClock),
  });
  if (changes.serialNumbers.length === 0) return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: '' };
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify(changes),
  };
});
