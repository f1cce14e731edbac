import { newDelivery, putDelivery, removeDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord, DeliveryRef } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import type { EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { sendIntervalMs, takeSendSlot } from '../data/webhooks/send-slots.ts';
import { isOpen } from '../domain/webhooks/circuit.ts';
import { isUnfinished } from '../domain/webhooks/delivery.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import { type RequestTrace, traceOf } from '../platform/request-trace.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { enqueue, park } from './enqueue.ts';
import { loadDelivery } from './load-delivery.ts';
import { prepareDelivery } from './prepare-delivery.ts';
import { waitUntil } from './wait-until.ts';

/** A delayed message may arrive up to a second early, because SQS counts whole seconds. */
const maxEarlyMs = 1_500;
const disabledCheckSeconds = 86_400;

/** A delivery to make. The first message of a delivery contains the type of its event, and the delivery may not exist yet. */
export interface DeliveryToMake extends DeliveryRef, RequestTrace {
  readonly type?: WebhookEventType | undefined;
  readonly forced: boolean;
}

/**
 * Sends one delivery directly, if its endpoint has a free send slot. Otherwise the delivery goes to the backlog. The row and
 * its due hint are written first and stay in every case, so a message may always be dropped.
 */
export async function deliver(deps: DeliveryDeps, message: DeliveryToMake): Promise<void> {
  const { table, clock } = deps;
  const { delivery: stored, endpoint, endpointState, body } = await loadDelivery(table, message);
  const delivery = stored ?? (endpoint && (await putFirst(deps, message)));
  if (delivery === undefined || !isDueNow(delivery, clock.nowMs())) return;
  if (endpoint === undefined) return removeDelivery(table, delivery);
  if (endpoint.status === 'disabled') {
    await park(deps, delivery, disabledCheckSeconds);
    return;
  }
  await waitUntil(deps, delivery.nextMs ?? 0);
  if (message.forced && isOpen(endpointState))
    return sendAt(deps, { delivery, body, endpoint, endpointState, startMs: 0 });
  const intervalMs = sendIntervalMs(endpointState, endpoint.ratePerSecond, clock.nowMs());
  const slot = await takeSendSlot(table, message, endpointState, { clock, intervalMs });
  const [startMs] = slot.startsMs;
  if (startMs === undefined) return enqueue(deps, delivery, slot.state);
  await sendAt(deps, { delivery, body, endpoint, endpointState, startMs });
}

async function putFirst({ table, clock }: DeliveryDeps, message: DeliveryToMake): Promise<DeliveryRecord | undefined> {
  const { orgId, endpointId, eventId, type } = message;
  if (type === undefined) return undefined;
  return putDelivery(table, newDelivery({ orgId, endpointId, eventId, type, ...traceOf(message) }, clock.nowMs()));
}

/** A delivery that is finished, in the backlog, being sent or planned for later ignores this message. */
function isDueNow(delivery: DeliveryRecord, nowMs: number): boolean {
  if (!isUnfinished(delivery) || delivery.status === 'parked' || delivery.leaseMs >= nowMs) return false;
  return (delivery.nextMs ?? 0) <= nowMs + maxEarlyMs;
}

interface DirectSend {
  readonly delivery: DeliveryRecord;
  readonly body: string | undefined;
  readonly endpoint: EndpointRecord;
  readonly endpointState: EndpointState;
  readonly startMs: number;
}

async function sendAt(
  deps: DeliveryDeps,
  { delivery, body, endpoint, endpointState, startMs }: DirectSend,
): Promise<void> {
  const prepared = await prepareDelivery(deps, delivery, body);
  if (prepared === undefined) return;
  await waitUntil(deps, startMs);
  await attemptDelivery(deps, { ...prepared, endpoint, endpointState, probe: false, direct: true });
}
