import { transact } from '../data/table/transact.ts';
import { moveDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { readLane } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, type Lane, laneMove } from '../data/webhooks/endpoint-state-row.ts';
import { isOpen } from '../domain/webhooks/circuit.ts';
import { parkedSeconds } from './attempt.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { tally } from './metrics.ts';

/** How long the one who is woken may take before the sweeper wakes another. */
const wakeGraceSeconds = 120;

/** From now on deliveries stand in line instead of going straight. Answers the lane as it then is. */
export async function holdLine({ table, clock }: DeliveryDeps, ref: EndpointRef, known: Lane): Promise<Lane> {
  let lane = known;
  while (!lane.held) {
    const held = { ...lane, held: true, hintUnix: Math.floor(clock.nowMs() / 1000) + wakeGraceSeconds };
    if ((await transact(table, laneMove(table, ref, lane, held))).length === 0) {
      return { ...held, version: lane.version + 1 };
    }
    lane = await readLane(table, ref);
  }
  return lane;
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
export async function standInLine(deps: DeliveryDeps, delivery: DeliveryRecord, known: Lane): Promise<void> {
  const lane = await holdLine(deps, delivery, known);
  if (!(await park(deps, delivery))) return;
  tally('DeliveryParked');
  const nowMs = deps.clock.nowMs();
  const isWorkedOn = lane.lineLeaseMs >= nowMs;
  const isProbedLater = isOpen(lane) && (lane.nextProbeMs ?? 0) > nowMs;
  if (!isWorkedOn && !isProbedLater) await deps.wakeLine({ orgId: delivery.orgId, endpointId: delivery.endpointId });
}
