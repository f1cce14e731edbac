import { removeHint } from '../../shared/data/due-hints.ts';
import { pendingHint } from '../../shared/events/outbox.ts';
import { referenceOfMessage } from '../../shared/events/reference.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/platform.ts';

/** Nothing is pending any more once this is done; until then the sweeper sends the event here again. */
export const handler = queueWorker(async (body) => {
  const { orgId, eventId } = referenceOfMessage(body);
  await removeHint(workerTable(), pendingHint(orgId, eventId));
});
