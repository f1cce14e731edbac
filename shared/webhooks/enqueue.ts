import { transact } from '../data/table/transact.ts';
import { moveDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, type EndpointState, endpointStateUpdate } from '../data/webhooks/endpoint-state-row.ts';
import { isOpen } from '../domain/webhooks/circuit.ts';
import { parkedSeconds } from './attempt.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { countMetric } from './metrics.ts';

/** How long the one who is woken may take before the sweeper wakes another. */
const wakeGraceSeconds = 120;

/** From now on deliveries stand in line instead of going straight. Answers the lane as it then is. */
export async function holdBacklog(
  { table, clock }: DeliveryDeps,
  ref: EndpointRef,
  known: EndpointState,
): Promise<EndpointState> {
  let endpointState = known;
  while (!endpointState.held) {
    const held = { ...endpointState, held: true, hintUnix: Math.floor(clock.nowMs() / 1000) + wakeGraceSeconds };
    if ((await transact(table, endpointStateUpdate(table, ref, endpointState, held))).length === 0) {
      return { ...held, version: endpointState.version + 1 };
    }
    endpointState = await readEndpointState(table, ref);
  }
  return endpointState;
}

/** The delivery waits in its place, with no attempt spent. */
export async function park(
  { table, clock }: DeliveryDeps,
  delivery: DeliveryRecord,
  forSeconds = parkedSeconds,
): Promise<boolean> {
  const hintUnix = Math.floor(clock.nowMs() / 1000) + forSeconds;
  return moveDelivery(table, delivery, { ...delivery, status: 'parked', nextMs: null, hintUnix });
}

/**
 * The line is held before anybody stands in it, so that a crash in between leaves a line that somebody looks at, and never
 * a delivery that nobody does.
 */
export async function enqueue(deps: DeliveryDeps, delivery: DeliveryRecord, known: EndpointState): Promise<void> {
  const endpointState = await holdBacklog(deps, delivery, known);
  if (!(await park(deps, delivery))) return;
  countMetric('DeliveryParked');
  const nowMs = deps.clock.nowMs();
  const isWorkedOn = endpointState.backlogLeaseMs >= nowMs;
  const isProbedLater = isOpen(endpointState) && (endpointState.nextProbeMs ?? 0) > nowMs;
  if (!isWorkedOn && !isProbedLater) await deps.wakeBacklog({ orgId: delivery.orgId, endpointId: delivery.endpointId });
}
