import { claimNewDeliveries, newDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord, DeliveryRef } from '../data/webhooks/delivery-row.ts';
import type { EndpointRef, EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { type TakenSlots, takeSendSlots } from '../data/webhooks/send-slots.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import { eventIdMs } from '../outbox/event-id.ts';
import type { RequestTrace } from '../platform/request-trace.ts';
import { attemptLeaseMs, type ClaimedDelivery, postDelivery, type Result, recordAttempts } from './attempt-delivery.ts';
import { deliver } from './deliver.ts';
import { markDeadWithoutBody, readBodies } from './delivery-body.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { enqueueNew } from './enqueue.ts';
import { waitUntil } from './wait-until.ts';

/** A delivery that probably does not exist in the table yet. */
export interface FirstDelivery extends DeliveryRef, RequestTrace {
  readonly type: WebhookEventType;
}

/**
 * Until this age of its event a delivery has no due hint of its own: the hint of the event is enough. The sweeper checks the
 * event at twice this age, when every function that may have sent it has ended.
 */
const maxAgeMs = 60_000;

export function isFresh({ eventId }: Pick<DeliveryRef, 'eventId'>, nowMs: number): boolean {
  return nowMs - eventIdMs(eventId) < maxAgeMs;
}

/**
 * Makes the first attempts at the new deliveries of one endpoint, with four table calls for all of them: take as many send
 * slots, claim the deliveries, read the bodies, store the acknowledgements. What has no slot goes to the backlog. A crash
 * leaves claimed deliveries, which the sweeper finds by the hints of their events; it repeats at most these.
 */
export async function deliverNew(
  deps: DeliveryDeps,
  ref: EndpointRef,
  messages: readonly FirstDelivery[],
): Promise<void> {
  const { table, clock } = deps;
  const byEvent = new Map(messages.map((message) => [message.eventId, message]));
  const first = [...byEvent.values()].sort((one, other) => (one.eventId < other.eventId ? -1 : 1));
  const nowMs = clock.nowMs();
  const slots = await takeSendSlots(table, ref, lastSeen.get(ref.endpointId), { clock, count: first.length });
  remember(ref, slots.state);
  // The endpoint is disabled or deleted.
  if (slots.state.settings?.status !== 'enabled') {
    for (const message of first) await deliver(deps, { ...message, forced: false });
    return;
  }
  const deliveries = first.map(({ orgId, endpointId, eventId, type, requestId }) =>
    newDelivery({ orgId, endpointId, eventId, type, requestId }, nowMs),
  );
  const count = slots.startsMs.length;
  // Both have to end: a response that is not waited for would not be recorded.
  const ended = await Promise.allSettled([
    sendInSlots(deps, deliveries.slice(0, count), slots),
    enqueueNew(deps, deliveries.slice(count), slots.state),
  ]);
  for (const part of ended) if (part.status === 'rejected') throw part.reason;
}

async function sendInSlots(
  deps: DeliveryDeps,
  deliveries: readonly DeliveryRecord[],
  { startsMs, state }: TakenSlots,
): Promise<void> {
  const { settings: endpoint } = state;
  if (deliveries.length === 0 || endpoint === undefined) return;
  const untilMs = deps.clock.nowMs() + attemptLeaseMs;
  const [claimed, bodies] = await Promise.all([
    claimNewDeliveries(deps.table, deliveries, untilMs),
    readBodies(deps, deliveries),
  ]);
  const attempts: Promise<Attempt>[] = [];
  for (const [index, delivery] of claimed.entries()) {
    const body = bodies.get(delivery.eventId);
    if (body === undefined) {
      await markDeadWithoutBody(deps, delivery);
      continue;
    }
    await waitUntil(deps, startsMs[index] ?? 0);
    attempts.push(attempt(deps, { delivery, body, endpoint, endpointState: state, probe: false, direct: true }));
  }
  const ended = await Promise.all(attempts);
  await recordAttempts(
    deps,
    ended.flatMap(({ claimed: sent, result }) => (result === undefined ? [] : [{ claimed: sent, result }])),
  );
  const failure = ended.find(({ error }) => error !== undefined);
  if (failure !== undefined) throw failure.error;
}

interface Attempt {
  readonly claimed: ClaimedDelivery;
  readonly result?: Result;
  readonly error?: unknown;
}

/** An error of one attempt must not prevent that the others are recorded. */
async function attempt(deps: DeliveryDeps, claimed: ClaimedDelivery): Promise<Attempt> {
  try {
    return { claimed, result: await postDelivery(deps, claimed) };
  } catch (error) {
    return { claimed, error };
  }
}

/** What this instance knows of endpoints, up to this many. It is only an assumption, which the table confirms or corrects. */
const maxRemembered = 500;
const lastSeen = new Map<string, EndpointState>();

function remember({ endpointId }: EndpointRef, state: EndpointState): void {
  if (lastSeen.size >= maxRemembered) lastSeen.clear();
  lastSeen.set(endpointId, state);
}
