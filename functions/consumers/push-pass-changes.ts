import type { DevicePosition, PassRange } from '../../shared/data/wallets/devices.ts';
import { appleAccount } from '../../shared/documents/apple-account.ts';
import { keptPushConnection } from '../../shared/documents/apple-push.ts';
import { googleAccount } from '../../shared/documents/google-account.ts';
import { tellGoogle } from '../../shared/documents/google-changes.ts';
import { openGoogleWallet } from '../../shared/documents/google-wallet.ts';
import { parsePassMessage, sendRest } from '../../shared/documents/pass-messages.ts';
import { passesChangedBy, pushChanges, type ToldDevices } from '../../shared/documents/push-changes.ts';
import { readFeedEvent } from '../../shared/outbox/feed.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { phonesPerSecond } from '../../shared/platform/env.ts';
import { log } from '../../shared/platform/log.ts';
import { startPace } from '../../shared/platform/pace.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** Tells phones with an Apple pass that it has changed: they fetch it themselves. Google is told what its passes show. */
export const handler = queueWorker(parsePassMessage, async ({ after, ...reference }) => {
  const { orgId, eventId, type } = reference;
  const event = await readFeedEvent(workerTable(), orgId, eventId);
  const range = event && passesChangedBy(event.body);
  if (range === undefined) return;
  // If Apple or Google is out of reach, the other is told anyway. When the message comes back, both are told again.
  const [phones, google] = await Promise.allSettled([
    pushToPhones(range, after),
    after === undefined ? replaceAtGoogle(range) : 0,
  ]);
  if (phones.status === 'rejected') throw phones.reason;
  if (google.status === 'rejected') throw google.reason;
  const { told: devices, failed: devices_failed, next } = phones.value;
  if (next !== undefined) await sendRest(reference, next);
  const about = { org_id: orgId, event_id: eventId, type, devices, devices_failed, google: google.value };
  if (devices_failed > 0) log.info('some phones could not be told that passes changed', about);
  else log.info(devices + google.value > 0 ? 'passes changed' : 'no wallet has the changed passes', about);
});

async function pushToPhones(range: PassRange, after: DevicePosition | undefined): Promise<ToldDevices> {
  const account = await appleAccount();
  if (account === undefined) return { told: 0, failed: 0, next: undefined };
  const deps = { table: workerTable(), connection: keptPushConnection(account), pace: startPace(phonesPerSecond()) };
  return pushChanges(deps, range, after);
}

async function replaceAtGoogle(range: PassRange): Promise<number> {
  const account = await googleAccount();
  if (account === undefined) return 0;
  const nowUnix = unixSeconds(systemClock);
  const wallet = await openGoogleWallet(account, nowUnix);
  return tellGoogle(workerTable(), { account, wallet }, { range, nowUnix });
}
