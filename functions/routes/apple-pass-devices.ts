import { registerDevice, unregisterDevice } from '../../shared/data/wallets/devices.ts';
import { readDeviceId, readNamedPass, readPushToken } from '../../shared/documents/apple-registration.ts';
import { hasCurrentKey, shownBy } from '../../shared/documents/apple-subject.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { plainText, routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** A device registers for the changes of a pass that was added to it, and unregisters when the pass is deleted. */
export const handler = routeWorker(async ({ method, params, header, body }) => {
  const named = await readNamedPass(params, header('authorization'));
  const deviceId = readDeviceId(params);
  if (named === undefined || deviceId === undefined) return plainText(401, 'The token of the pass is wrong.');
  const table = workerTable();
  if (!(await hasCurrentKey(table, named))) return plainText(401, 'The token of the pass has ended.');
  const pass = { deviceId, serialNumber: named.serialNumber };
  if (method === 'DELETE') {
    await unregisterDevice(table, pass);
    return plainText(200, '');
  }
  const pushToken = readPushToken(body);
  if (pushToken === undefined) return plainText(400, 'The body has no pushToken.');
  const shows = await shownBy(table, named.subject);
  if (shows === undefined) return plainText(401, 'There is no such pass any more.');
  const outcome = await registerDevice(table, { ...pass, shows, pushToken, nowUnix: unixSeconds(systemClock) });
  if (outcome === 'full') return plainText(403, 'The pass is on 20 devices. Delete it from one of them.');
  return plainText(outcome === 'registered' ? 201 : 200, '');
});
