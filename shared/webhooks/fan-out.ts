import { removeHint } from '../data/table/due-hints.ts';
import type { Table } from '../data/table/table.ts';
import { newDelivery, putDelivery } from '../data/webhooks/deliveries.ts';
import { listEndpoints } from '../data/webhooks/endpoints.ts';
import { isSubscribed } from '../domain/webhooks/subscriptions.ts';
import { type EventReference, pendingHint } from '../outbox/outbox.ts';
import { log } from '../platform/log.ts';
import type { DeliveryMessage } from './delivery-messages.ts';

export interface FanOutDeps {
  readonly table: Table;
  readonly nowMs: number;
  readonly sendDeliveries: (messages: readonly DeliveryMessage[]) => Promise<void>;
}

/**
 * Creates one delivery for each endpoint that subscribes to the event. A delivery that exists already and is still queued gets
 * its message again, because a crash may have come between row and message. Then the event is no longer pending: rows, not
 * messages, are durable.
 */
export async function fanOut({ table, nowMs, sendDeliveries }: FanOutDeps, event: EventReference): Promise<void> {
  const { orgId, eventId, type, requestId } = event;
  const endpoints = (await listEndpoints(table, orgId)).filter(
    (endpoint) => endpoint.status === 'enabled' && isSubscribed(endpoint.types, type),
  );
  const deliveries = await Promise.all(
    endpoints.map(({ endpointId }) =>
      putDelivery(table, newDelivery({ orgId, endpointId, eventId, type, requestId }, nowMs)),
    ),
  );
  const queued = deliveries.filter(({ status }) => status === 'queued');
  await sendDeliveries(queued.map(({ endpointId }) => ({ orgId, endpointId, eventId, requestId })));
  await removeHint(table, pendingHint(orgId, eventId));
  log.info('event fanned out', { org_id: orgId, event_id: eventId, type, deliveries: deliveries.length });
}
