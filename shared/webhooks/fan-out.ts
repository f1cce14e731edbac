import { batchDelete } from '../data/table/batch-write.ts';
import { dueHintKey } from '../data/table/due-hints.ts';
import type { Table } from '../data/table/table.ts';
import { moveDelivery, newDelivery, putDelivery, queuedHintUnix } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { listEndpoints } from '../data/webhooks/endpoints.ts';
import { isSubscribed } from '../domain/webhooks/subscriptions.ts';
import { type EventReference, pendingHint } from '../outbox/outbox.ts';
import { Fault } from '../platform/fault.ts';
import { log } from '../platform/log.ts';
import { traceFields } from '../platform/request-trace.ts';
import { isFresh } from './deliver-new.ts';
import type { DeliveryMessage } from './delivery-messages.ts';
import { owedTo } from './owed-to.ts';

export interface FanOutDeps {
  readonly table: Table;
  readonly nowMs: number;
  readonly sendDeliveries: (messages: readonly DeliveryMessage[]) => Promise<void>;
}

/**
 * Sends a message for each endpoint of one organisation that subscribes to one of these events. A young event stays pending:
 * the sweeper removes its hint when it has found all its deliveries. An older event, which the sweeper has published again, is
 * no longer pending when all its deliveries exist with a hint of their own.
 */
export async function fanOut(deps: FanOutDeps, orgId: string, events: readonly EventReference[]): Promise<void> {
  const { table, nowMs, sendDeliveries } = deps;
  const all = await listEndpoints(table, orgId);
  const fannedOut = await Promise.all(
    events.map(async (event) => {
      const isYoung = isFresh(event, nowMs);
      const endpoints = isYoung
        ? all.filter(({ status, types }) => status === 'enabled' && isSubscribed(types, event.type))
        : owedTo(all, event);
      const messages = isYoung ? messagesOf(event, endpoints) : await storeDeliveries(deps, event, endpoints);
      return { event, messages, deliveries: endpoints.length, isPending: isYoung && endpoints.length > 0 };
    }),
  );
  await sendDeliveries(fannedOut.flatMap(({ messages }) => messages));
  const handled = fannedOut.filter(({ isPending }) => !isPending);
  await batchDelete(
    table,
    handled.map(({ event }) => dueHintKey(pendingHint(orgId, event.eventId))),
  );
  for (const { event, deliveries } of fannedOut) {
    const { eventId, type } = event;
    const text = deliveries > 0 ? 'event fanned out' : 'event without an endpoint';
    log.info(text, { ...traceFields(event), org_id: orgId, event_id: eventId, type, deliveries });
  }
}

function messagesOf(event: EventReference, endpoints: readonly EndpointRecord[]): DeliveryMessage[] {
  const { orgId, eventId, type, requestId } = event;
  return endpoints.map(({ endpointId }) => ({ orgId, endpointId, eventId, type, requestId }));
}

/** Returns the messages for those deliveries that are still to be sent for the first time. */
async function storeDeliveries(
  { table, nowMs }: FanOutDeps,
  event: EventReference,
  endpoints: readonly EndpointRecord[],
): Promise<DeliveryMessage[]> {
  const { orgId, eventId, type, requestId } = event;
  const deliveries = await Promise.all(
    endpoints.map(async ({ endpointId }) => {
      const delivery = newDelivery({ orgId, endpointId, eventId, type, requestId }, nowMs);
      const stored = await putDelivery(table, delivery);
      return stored.status === 'queued' && stored.hintUnix === null ? giveHint(table, stored, nowMs) : stored;
    }),
  );
  const queued = deliveries.filter(({ status }) => status === 'queued');
  return queued.map(({ endpointId }) => ({ orgId, endpointId, eventId, requestId }));
}

/** The function that claimed the delivery has crashed, because a function that sends a young event has ended by now. */
async function giveHint(table: Table, delivery: DeliveryRecord, nowMs: number): Promise<DeliveryRecord> {
  const hinted = { ...delivery, hintUnix: queuedHintUnix(nowMs) };
  if (await moveDelivery(table, delivery, hinted)) return hinted;
  throw new Fault('A delivery has changed while its event was fanned out again.');
}
