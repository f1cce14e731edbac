import { appleAccount } from '../../shared/documents/apple-account.ts';
import { openPushConnection } from '../../shared/documents/apple-push.ts';
import { passesChangedBy, pushChanges } from '../../shared/documents/push-changes.ts';
import { parseBusMessage } from '../../shared/outbox/event-reference.ts';
import { readFeedEvent } from '../../shared/outbox/feed.ts';
import { log } from '../../shared/platform/log.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** Tells phones that a pass of theirs has changed. They fetch it themselves. */
export const handler = queueWorker(parseBusMessage, async ({ orgId, eventId, type }) => {
  const account = await appleAccount();
  const event = account && (await readFeedEvent(workerTable(), orgId, eventId));
  const range = event && passesChangedBy(event.body);
  if (account === undefined || range === undefined) return;
  const connection = openPushConnection(account);
  try {
    const told = await pushChanges(workerTable(), connection, range);
    log.info('passes changed', { org_id: orgId, event_id: eventId, type, devices: told });
  } finally {
    connection.close();
  }
});
