import { transact } from '../data/table/transact.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, type EndpointState, endpointStateUpdate } from '../data/webhooks/endpoint-state-row.ts';
import { isOpen } from '../domain/webhooks/circuit.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** Longer than anybody takes from seeing that a line is held to standing in it. */
const lateComersSeconds = 5;

/**
 * The line is empty: deliveries go straight again, and the right to work through it ends in the same write, because from
 * then on the pace is everybody's. Somebody may have seen it held and be about to stand in it, so it is looked at once more
 * a moment later. Answers whether it was held until now.
 */
export async function releaseBacklog(deps: DeliveryDeps, ref: EndpointRef, freeMs: number): Promise<boolean> {
  const isReleased = await change(deps, ref, (endpointState) =>
    endpointState.held && !isOpen(endpointState)
      ? {
          ...endpointState,
          held: false,
          hintUnix: null,
          backlogLeaseMs: 0,
          freeMs: Math.max(freeMs, endpointState.freeMs),
        }
      : undefined,
  );
  if (isReleased) await deps.wakeBacklog(ref, lateComersSeconds);
  return isReleased;
}

/** The circuit is open and there is nothing to probe it with: the next one to come is the probe, and brings its own hint. */
export async function leaveOpen(deps: DeliveryDeps, ref: EndpointRef): Promise<void> {
  const isLeft = await change(deps, ref, (endpointState) =>
    isOpen(endpointState) && endpointState.hintUnix !== null ? { ...endpointState, hintUnix: null } : undefined,
  );
  if (isLeft) await deps.wakeBacklog(ref, lateComersSeconds);
}

async function change(
  { table }: DeliveryDeps,
  ref: EndpointRef,
  changed: (endpointState: EndpointState) => EndpointState | undefined,
): Promise<boolean> {
  for (;;) {
    const endpointState = await readEndpointState(table, ref);
    const next = changed(endpointState);
    if (next === undefined) return false;
    if ((await transact(table, endpointStateUpdate(table, ref, endpointState, next))).length === 0) return true;
  }
}
