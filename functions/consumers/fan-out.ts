import { parseBusMessage } from '../../shared/outbox/event-reference.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { sendDeliveries } from '../../shared/webhooks/delivery-messages.ts';
import { fanOut } from '../../shared/webhooks/fan-out.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** The sweeper publishes the event again until fan-out has succeeded. */
export const handler = queueWorker(parseBusMessage, (event) =>
  fanOut({ table: workerTable(), nowMs: systemClock.nowMs(), sendDeliveries }, event),
);
