import { removeDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord, DeliveryRef } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { endSendSlot, takeSendSlot } from '../data/webhooks/endpoint-state.ts';
import type { EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { isOpen, rateAt } from '../domain/webhooks/circuit.ts';
import { isUnfinished } from '../domain/webhooks/delivery.ts';
import { attempt } from './attempt.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { enqueue, park } from './enqueue.ts';
import { loadDelivery } from './load-delivery.ts';
import { prepare } from './prepare.ts';

/** A delayed message comes up to a second early, because SQS counts whole seconds. */
const earlyMs = 1_500;
const parkedWhileDisabledSeconds = 86_400;

/**
 * The straight way: one delivery, now, if its endpoint can take it. Whatever cannot go now keeps its row and its due hint,
 * so a message may always be dropped.
 */
export async function deliver(deps: DeliveryDeps, message: DeliveryRef & { readonly forced: boolean }): Promise<void> {
  const { table, clock } = deps;
  const { delivery, endpoint, endpointState, body } = await loadDelivery(table, message);
  if (delivery === undefined || !isDueNow(delivery, clock.nowMs())) return;
  if (endpoint === undefined) return removeDelivery(table, delivery);
  if (endpoint.status === 'disabled') {
    await park(deps, delivery, parkedWhileDisabledSeconds);
    return;
  }
  await waitUntil(deps, delivery.nextMs ?? 0);
  if (message.forced && isOpen(endpointState))
    return sendAt(deps, { delivery, body, endpoint, endpointState, startMs: 0 });
  const slot = await takeSendSlot(table, message, endpointState, pace(endpointState, endpoint, clock.nowMs()));
  if ('full' in slot) return enqueue(deps, delivery, slot.full);
  try {
    await sendAt(deps, { delivery, body, endpoint, endpointState, startMs: slot.startMs });
  } finally {
    await endSendSlot(table, message);
  }
}

/** What is finished, stands in line, is being sent or is to be sent later has no use for this message. */
function isDueNow(delivery: DeliveryRecord, nowMs: number): boolean {
  if (!isUnfinished(delivery) || delivery.status === 'parked' || delivery.leaseMs >= nowMs) return false;
  return (delivery.nextMs ?? 0) <= nowMs + earlyMs;
}

export function pace(endpointState: EndpointState, { ratePerSecond }: EndpointRecord, nowMs: number) {
  return { nowMs, intervalMs: Math.ceil(1000 / rateAt(endpointState, ratePerSecond, nowMs)) };
}

export async function waitUntil({ clock, sleep }: DeliveryDeps, ms: number): Promise<void> {
  const waitMs = ms - clock.nowMs();
  if (waitMs > 0) await sleep(waitMs);
}

interface Ready {
  readonly delivery: DeliveryRecord;
  readonly body: string | undefined;
  readonly endpoint: EndpointRecord;
  readonly endpointState: EndpointState;
  readonly startMs: number;
}

async function sendAt(deps: DeliveryDeps, { delivery, body, endpoint, endpointState, startMs }: Ready): Promise<void> {
  const prepared = await prepare(deps, delivery, body);
  if (prepared === undefined) return;
  await waitUntil(deps, startMs);
  await attempt(deps, { ...prepared, endpoint, endpointState, probe: false });
}
