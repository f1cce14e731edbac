import { retryRaces } from '../data/table/retry.ts';
import { transact } from '../data/table/transact.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, type EndpointState, endpointStateUpdate } from '../data/webhooks/endpoint-state-row.ts';
import { isOpen } from '../domain/webhooks/circuit.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** Longer than any function takes between reading that the backlog is held and adding a delivery to it. */
const recheckSeconds = 5;

/**
 * Releases an empty backlog: deliveries are sent directly again. The same write ends the lease, because from then on all
 * functions share the pace. A function may have read that the backlog is held and be about to add a delivery, so the backlog
 * is checked once more a few seconds later. Returns whether the backlog was held until now.
 */
export async function releaseBacklog(deps: DeliveryDeps, ref: EndpointRef, freeMs: number): Promise<boolean> {
  const isReleased = await changeState(deps, ref, (endpointState) =>
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
  if (isReleased) await deps.wakeBacklog(ref, recheckSeconds);
  return isReleased;
}

/** The circuit is open and the backlog is empty: the next delivery is the probe, and it sets its own hint. */
export async function stopProbing(deps: Pick<DeliveryDeps, 'table' | 'wakeBacklog'>, ref: EndpointRef): Promise<void> {
  const isChanged = await changeState(deps, ref, (endpointState) =>
    isOpen(endpointState) && endpointState.hintUnix !== null ? { ...endpointState, hintUnix: null } : undefined,
  );
  if (isChanged) await deps.wakeBacklog(ref, recheckSeconds);
}

function changeState(
  { table }: Pick<DeliveryDeps, 'table'>,
  ref: EndpointRef,
  decideNext: (endpointState: EndpointState) => EndpointState | undefined,
): Promise<boolean> {
  return retryRaces('webhook endpoint', async () => {
    const endpointState = await readEndpointState(table, ref);
    const next = decideNext(endpointState);
    if (next === undefined) return false;
    const refusals = await transact(table, endpointStateUpdate(table, ref, endpointState, next));
    return refusals.length === 0 ? true : undefined;
  });
}
