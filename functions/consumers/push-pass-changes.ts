import type { PassRange } from '../../shared/data/wallets/devices.ts';
import { appleAccount } from '../../shared/documents/apple-account.ts';
import { openPushConnection } from '../../shared/documents/apple-push.ts';
import { googleAccount } from '../../shared/documents/google-account.ts';
import { tellGoogle } from '../../shared/documents/google-changes.ts';
import { openGoogleWallet } from '../../shared/documents/google-wallet.ts';
import { passesChangedBy, pushChanges } from '../../shared/documents/push-changes.ts';
import { parseBusMessage } from '../../shared/outbox/event-reference.ts';
import { readFeedEvent } from '../../shared/outbox/feed.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { log } from '../../shared/platform/log.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** Tells phones with an Apple pass that it has changed: they fetch it themselves. Google is told what its passes show. */
export const handler = queueWorker(parseBusMessage, async ({ orgId, eventId, type }) => {
  const event = await readFeedEvent(workerTable(), orgId, eventId);
  const range = event && passesChangedBy(event.body);
  if (range === undefined) return;
  // One of them may be out of reach: the other one is told all the same, and both again when the message comes back.
  const outcomes = await Promise.allSettled([pushToPhones(range), replaceAtGoogle(range)]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const [devices, google] = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 0));
  log.info('passes changed', { org_id: orgId, event_id: eventId, type, devices, google });
});

async function pushToPhones(range: PassRange): Promise<number> {
  const account = await appleAccount();
  if (account === undefined) return 0;
  const connection = openPushConnection(account);
  try {
    return await pushChanges(workerTable(), connection, range);
  } finally {
    connection.close();
  }
}

async function replaceAtGoogle(range: PassRange): Promise<number> {
  const account = await googleAccount();
  if (account === undefined) return 0;
  const nowUnix = unixSeconds(systemClock);
  const wallet = await openGoogleWallet(account, nowUnix);
  return tellGoogle(workerTable(), { account, wallet }, { range, nowUnix });
}
