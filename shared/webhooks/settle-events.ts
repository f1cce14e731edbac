import { batchGet } from '../data/table/batch-get.ts';
import { batchDelete } from '../data/table/batch-write.ts';
import { dueHintKey } from '../data/table/due-hints.ts';
import { webhookDeliveryKey } from '../data/table/keys.ts';
import type { Table } from '../data/table/table.ts';
import { parseDelivery } from '../data/webhooks/delivery-row.ts';
import { listEndpoints } from '../data/webhooks/endpoints.ts';
import { isUnfinished } from '../domain/webhooks/delivery.ts';
import type { PendingEvent } from '../outbox/sweep.ts';
import { owedTo } from './owed-to.ts';

/**
 * Removes the hints of those events of one organisation whose deliveries all exist, each finished or with a hint of its own.
 * Returns the other events: a message was lost, or a function crashed.
 */
export async function settleEvents(
  table: Table,
  orgId: string,
  events: readonly PendingEvent[],
): Promise<readonly PendingEvent[]> {
  const endpoints = await listEndpoints(table, orgId);
  const keysOf = ({ eventId, type }: PendingEvent) =>
    owedTo(endpoints, { eventId, type }).map(({ endpointId }) => webhookDeliveryKey(orgId, endpointId, eventId));
  // A copy that lags can only lack a delivery; then the event is published again, which repeats nothing.
  const items = await batchGet(table, events.flatMap(keysOf), { consistent: false });
  const safe = new Set(items.filter(isSafe).map(({ pk, sk }) => `${pk} ${sk}`));
  const isSettled = (event: PendingEvent) => keysOf(event).every(({ pk, sk }) => safe.has(`${pk} ${sk}`));
  await batchDelete(
    table,
    events.filter(isSettled).map(({ hint }) => dueHintKey(hint)),
  );
  return events.filter((event) => !isSettled(event));
}

function isSafe(item: unknown): boolean {
  const delivery = parseDelivery(item);
  return !isUnfinished(delivery) || delivery.hintUnix !== null;
}
