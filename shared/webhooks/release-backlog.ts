import { transact } from '../data/table/transact.ts';
import { readLane } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, type Lane, laneMove } from '../data/webhooks/endpoint-state-row.ts';
import { isOpen } from '../domain/webhooks/circuit.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** Longer than anybody takes from seeing that a line is held to standing in it. */
const lateComersSeconds = 5;

/**
 * The line is empty: deliveries go straight again, and the right to work through it ends in the same write, because from
 * then on the pace is everybody's. Somebody may have seen it held and be about to stand in it, so it is looked at once more
 * a moment later. Answers whether it was held until now.
 */
export async function letGo(deps: DeliveryDeps, ref: EndpointRef, freeMs: number): Promise<boolean> {
  const isLetGo = await change(deps, ref, (lane) =>
    lane.held && !isOpen(lane)
      ? { ...lane, held: false, hintUnix: null, lineLeaseMs: 0, freeMs: Math.max(freeMs, lane.freeMs) }
      : undefined,
  );
  if (isLetGo) await deps.wakeLine(ref, lateComersSeconds);
  return isLetGo;
}

/** The circuit is open and there is nothing to probe it with: the next one to come is the probe, and brings its own hint. */
export async function leaveOpen(deps: DeliveryDeps, ref: EndpointRef): Promise<void> {
  const isLeft = await change(deps, ref, (lane) =>
    isOpen(lane) && lane.hintUnix !== null ? { ...lane, hintUnix: null } : undefined,
  );
  if (isLeft) await deps.wakeLine(ref, lateComersSeconds);
}

async function change(
  { table }: DeliveryDeps,
  ref: EndpointRef,
  changed: (lane: Lane) => Lane | undefined,
): Promise<boolean> {
  for (;;) {
    const lane = await readLane(table, ref);
    const next = changed(lane);
    if (next === undefined) return false;
    if ((await transact(table, laneMove(table, ref, lane, next))).length === 0) return true;
  }
}
