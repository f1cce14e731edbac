import { retryRaces } from '../data/table/retry.ts';
import { transact } from '../data/table/transact.ts';
import { moveDelivery, putNewDeliveries } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, type EndpointState, endpointStateUpdate } from '../data/webhooks/endpoint-state-row.ts';
import { isOpen } from '../domain/webhooks/circuit.ts';
import { log } from '../platform/log.ts';
import { traceFields, traceOf } from '../platform/request-trace.ts';
import { parkedCheckSeconds } from './attempt-delivery.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { countMetric } from './metrics.ts';

/** How long a worker may take to start draining before the sweeper wakes another one. */
const wakeGraceSeconds = 120;
/** When a second message wakes a backlog, in case the worker that the first one woke has crashed. */
export const takeOverSeconds = 26;

/** From now on deliveries go to the backlog instead of being sent directly. Returns the new endpoint state. */
export function holdBacklog(
  { table, clock }: Pick<DeliveryDeps, 'table' | 'clock'>,
  ref: EndpointRef,
  lastRead: EndpointState,
): Promise<EndpointState> {
  return retryRaces('webhook endpoint', async (attempt) => {
    const endpointState = attempt === 1 ? lastRead : await readEndpointState(table, ref);
    if (endpointState.held) return endpointState;
    const held = { ...endpointState, held: true, hintUnix: Math.floor(clock.nowMs() / 1000) + wakeGraceSeconds };
    const refusals = await transact(table, endpointStateUpdate(table, ref, endpointState, held));
    return refusals.length === 0 ? { ...held, version: endpointState.version + 1 } : undefined;
  });
}

/** Puts the delivery into the backlog. It keeps its position and spends no attempt. */
export async function park(
  { table, clock }: DeliveryDeps,
  delivery: DeliveryRecord,
  forSeconds = parkedCheckSeconds,
): Promise<boolean> {
  const hintUnix = Math.floor(clock.nowMs() / 1000) + forSeconds;
  return moveDelivery(table, delivery, { ...delivery, status: 'parked', nextMs: null, hintUnix });
}

/**
 * Adds a delivery to the backlog. The backlog is held first: a crash between the two writes leaves an empty backlog that the
 * sweeper checks, and never a delivery that no worker finds.
 */
export async function enqueue(deps: DeliveryDeps, delivery: DeliveryRecord, lastRead: EndpointState): Promise<void> {
  const endpointState = await holdBacklog(deps, delivery, lastRead);
  if (await park(deps, delivery)) await afterParking(deps, [delivery], { lastRead, endpointState });
}

/** Adds new deliveries of one endpoint to its backlog. Those that exist already have another message. */
export async function enqueueNew(
  deps: DeliveryDeps,
  deliveries: readonly DeliveryRecord[],
  lastRead: EndpointState,
): Promise<void> {
  const [first] = deliveries;
  if (first === undefined) return;
  const endpointState = await holdBacklog(deps, first, lastRead);
  const hintUnix = Math.floor(deps.clock.nowMs() / 1000) + parkedCheckSeconds;
  const parked = await putNewDeliveries(
    deps.table,
    deliveries.map((delivery) => ({ ...delivery, status: 'parked', nextMs: null, hintUnix })),
  );
  await afterParking(deps, parked, { lastRead, endpointState });
}

async function afterParking(
  deps: DeliveryDeps,
  parked: readonly DeliveryRecord[],
  { lastRead, endpointState }: Readonly<Record<'lastRead' | 'endpointState', EndpointState>>,
): Promise<void> {
  for (const delivery of parked) logParked(delivery);
  const [first] = parked;
  const nowMs = deps.clock.nowMs();
  const isBeingDrained = endpointState.backlogLeaseMs >= nowMs;
  const isProbedLater = isOpen(endpointState) && (endpointState.nextProbeMs ?? 0) > nowMs;
  if (first === undefined || isBeingDrained || isProbedLater) return;
  const { orgId, endpointId } = first;
  const backlog = { orgId, endpointId, ...traceOf(first) };
  await deps.wakeBacklog(backlog);
  if (!lastRead.held) await deps.wakeBacklog(backlog, takeOverSeconds);
}

function logParked(delivery: DeliveryRecord): void {
  countMetric('DeliveryParked');
  const { orgId, endpointId, eventId } = delivery;
  log.info('webhook parked', {
    ...traceFields(delivery),
    org_id: orgId,
    webhook_endpoint_id: endpointId,
    event_id: eventId,
  });
}
