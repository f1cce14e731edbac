import { parseBusMessage } from '../../shared/outbox/event-reference.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { sendDeliveries } from '../../shared/webhooks/delivery-messages.ts';
import { fanOut } from '../../shared/webhooks/fan-out.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** Nothing is pending any more once this is done; until then the sweeper sends the event here again. */
export const handler = queueWorker((body) =>
  fanOut({ table: workerTable(), nowMs: systemClock.nowMs(), sendDeliveries }, parseBusMessage(body)),
);
