import { removeDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord, DeliveryRef } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { endSendSlot, takeSendSlot } from '../data/webhooks/endpoint-state.ts';
import type { EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { isOpen, rateAt } from '../domain/webhooks/circuit.ts';
import { isUnfinished } from '../domain/webhooks/delivery.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { enqueue, park } from './enqueue.ts';
import { loadDelivery } from './load-delivery.ts';
import { prepareDelivery } from './prepare-delivery.ts';

/** A delayed message may arrive up to a second early, because SQS counts whole seconds. */
const maxEarlyMs = 1_500;
const disabledCheckSeconds = 86_400;

/**
 * Sends one delivery directly, if its endpoint has a free send slot. Otherwise the delivery goes to the backlog. The row and
 * its due hint stay in every case, so a message may always be dropped.
 */
export async function deliver(deps: DeliveryDeps, message: DeliveryRef & { readonly forced: boolean }): Promise<void> {
  const { table, clock } = deps;
  const { delivery, endpoint, endpointState, body } = await loadDelivery(table, message);
  if (delivery === undefined || !isDueNow(delivery, clock.nowMs())) return;
  if (endpoint === undefined) return removeDelivery(table, delivery);
  if (endpoint.status === 'disabled') {
    await park(deps, delivery, disabledCheckSeconds);
    return;
  }
  await waitUntil(deps, delivery.nextMs ?? 0);
  if (message.forced && isOpen(endpointState))
    return sendAt(deps, { delivery, body, endpoint, endpointState, startMs: 0 });
  const slot = await takeSendSlot(table, message, endpointState, currentPace(endpointState, endpoint, clock.nowMs()));
  if ('full' in slot) return enqueue(deps, delivery, slot.full);
  try {
    await sendAt(deps, { delivery, body, endpoint, endpointState, startMs: slot.startMs });
  } finally {
    await endSendSlot(table, message);
  }
}

/** A delivery that is finished, in the backlog, being sent or planned for later ignores this message. */
function isDueNow(delivery: DeliveryRecord, nowMs: number): boolean {
  if (!isUnfinished(delivery) || delivery.status === 'parked' || delivery.leaseMs >= nowMs) return false;
  return (delivery.nextMs ?? 0) <= nowMs + maxEarlyMs;
}

export function currentPace(endpointState: EndpointState, { ratePerSecond }: EndpointRecord, nowMs: number) {
  // In microseconds: rounded up to a millisecond, all rates from 334 to 499 a second would be 333.
  return { nowMs, intervalMs: Math.ceil(1_000_000 / rateAt(endpointState, ratePerSecond, nowMs)) / 1000 };
}

export async function waitUntil({ clock, sleep }: DeliveryDeps, ms: number): Promise<void> {
  const waitMs = ms - clock.nowMs();
  if (waitMs > 0) await sleep(waitMs);
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
  await attemptDelivery(deps, { ...prepared, endpoint, endpointState, probe: false });
}
