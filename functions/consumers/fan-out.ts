import { parseBusMessage } from '../../shared/outbox/event-reference.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { sendDeliveries } from '../../shared/webhooks/delivery-messages.ts';
import { fanOut } from '../../shared/webhooks/fan-out.ts';
import { groupedQueueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** All events of one organisation in a batch need its endpoints only once. */
export const handler = groupedQueueWorker(
  parseBusMessage,
  ({ message }) => message.orgId,
  async (group) => {
    const events = group.map(({ message }) => message);
    const [{ orgId } = { orgId: '' }] = events;
    await fanOut({ table: workerTable(), nowMs: systemClock.nowMs(), sendDeliveries }, orgId, events);
  },
);
