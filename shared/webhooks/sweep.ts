import { type DueHint, overdueHints, removeHint } from '../data/table/due-hints.ts';
import type { Table } from '../data/table/table.ts';
import { transact } from '../data/table/transact.ts';
import { moveDelivery, readDelivery, removeDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, endpointStateUpdate } from '../data/webhooks/endpoint-state-row.ts';
import { readEndpoint } from '../data/webhooks/endpoints.ts';
import { log } from '../platform/log.ts';
import { traceFields, traceOf } from '../platform/request-trace.ts';
import type { SweepAttempt } from '../platform/sweep-run.ts';
import { parkedCheckSeconds } from './attempt-delivery.ts';
import type { DelayedDelivery } from './delivery-messages.ts';

export interface SweepDeps {
  readonly table: Table;
  readonly nowUnix: number;
  readonly sendRetries: (messages: readonly DelayedDelivery[]) => Promise<void>;
  readonly wakeBacklog: (ref: EndpointRef) => Promise<void>;
  /** Whether there is still time for another page. */
  readonly hasTime: () => boolean;
  readonly attempt: SweepAttempt;
}

/** A delivery that the sweeper has sent is sent again after this time, unless it is finished. */
const resendAfterSeconds = 300;
/** The sweeper runs once a minute. A delivery that is due before the next run gets a delayed message now. */
const aheadSeconds = 60;
const disabledCheckSeconds = 86_400;
const batchSize = 25;

/**
 * Sends the deliveries that are due: waits that were too long for a queue, and deliveries that a crash or a lost message left
 * behind. The hint is moved before the message is sent, so only one of two concurrent sweepers sends it. A crash between
 * the two delays the delivery by minutes.
 */
export async function sweepDeliveries(deps: SweepDeps): Promise<number> {
  const endpoints = new Map<string, Promise<EndpointRecord | undefined>>();
  const backlogs = new Map<string, EndpointRef>();
  let swept = 0;
  for await (const hints of overdueHints(deps.table, 'delivery', deps.nowUnix + aheadSeconds)) {
    for (let from = 0; from < hints.length; from += batchSize) {
      const batch = await Promise.all(
        hints
          .slice(from, from + batchSize)
          .map((hint) => deps.attempt(hint, () => sweepDelivery(deps, hint, { endpoints, backlogs }))),
      );
      const due = batch.filter((delivery) => delivery !== undefined);
      await deps.sendRetries(
        due.map((delivery) => {
          const { orgId, endpointId, eventId, nextMs } = delivery;
          const delaySeconds = Math.max(0, Math.floor((nextMs ?? 0) / 1000) - deps.nowUnix);
          return { orgId, endpointId, eventId, ...traceOf(delivery), delaySeconds };
        }),
      );
      for (const delivery of due) logQueued(delivery);
      swept += due.length;
    }
    if (!deps.hasTime()) break;
  }
  for (const ref of backlogs.values()) {
    await deps.attempt({ ref: [ref.orgId, ref.endpointId] }, () => deps.wakeBacklog(ref));
  }
  return swept;
}

function logQueued(delivery: DeliveryRecord): void {
  const { orgId, endpointId, eventId } = delivery;
  log.info('webhook queued by the sweeper', {
    ...traceFields(delivery),
    org_id: orgId,
    webhook_endpoint_id: endpointId,
    event_id: eventId,
  });
}

interface SweepState {
  readonly endpoints: Map<string, Promise<EndpointRecord | undefined>>;
  /** Endpoints with deliveries that have been in the backlog for too long. */
  readonly backlogs: Map<string, EndpointRef>;
}

/** Returns the delivery if a message has to be sent for it. */
async function sweepDelivery(deps: SweepDeps, hint: DueHint, seen: SweepState): Promise<DeliveryRecord | undefined> {
  const { table, nowUnix } = deps;
  const [orgId, endpointId = '', eventId = ''] = hint.ref;
  const delivery = await readDelivery(table, { orgId, endpointId, eventId });
  if (delivery === undefined || delivery.hintUnix !== hint.dueUnix) {
    await removeHint(table, hint);
    return undefined;
  }
  // The delivery is not lost: its message is on its way.
  if (hint.dueUnix > nowUnix && !waitsForSweeper(delivery)) return undefined;
  // Another function is sending it now.
  if (delivery.leaseMs >= nowUnix * 1000) return undefined;
  const reading = seen.endpoints.get(endpointId) ?? readEndpoint(table, orgId, endpointId);
  seen.endpoints.set(endpointId, reading);
  const endpoint = await reading;
  if (endpoint === undefined) {
    await removeDelivery(table, delivery);
    return undefined;
  }
  const isParked = delivery.status === 'parked';
  const isDisabled = endpoint.status === 'disabled';
  const parked = isDisabled ? disabledCheckSeconds : parkedCheckSeconds;
  const moved = { ...delivery, hintUnix: nowUnix + (isParked ? parked : resendAfterSeconds) };
  if (!(await moveDelivery(table, delivery, moved))) return undefined;
  if (!isParked) return moved;
  if (!isDisabled) seen.backlogs.set(endpointId, { orgId, endpointId });
  return undefined;
}

/** Whether the hint is the time of the next attempt, because the wait was too long for a message. */
function waitsForSweeper({ status, nextMs, hintUnix }: DeliveryRecord): boolean {
  return status === 'waiting' && nextMs !== null && hintUnix === Math.ceil(nextMs / 1000);
}

/** A backlog with deliveries always has a hint. When the hint is due, no worker has drained the backlog in time. */
export async function sweepBacklogs(deps: SweepDeps): Promise<number> {
  let swept = 0;
  for await (const hints of overdueHints(deps.table, 'backlog', deps.nowUnix)) {
    for (const hint of hints) if (await deps.attempt(hint, () => sweepBacklog(deps, hint))) swept += 1;
    if (!deps.hasTime()) break;
  }
  return swept;
}

async function sweepBacklog({ table, nowUnix, wakeBacklog }: SweepDeps, hint: DueHint): Promise<boolean> {
  const [orgId, endpointId = ''] = hint.ref;
  const ref = { orgId, endpointId };
  const endpointState = await readEndpointState(table, ref);
  if (endpointState.hintUnix !== hint.dueUnix) {
    await removeHint(table, hint);
    return false;
  }
  const moved = { ...endpointState, hintUnix: nowUnix + resendAfterSeconds };
  if ((await transact(table, endpointStateUpdate(table, ref, endpointState, moved))).length > 0) return false;
  await wakeBacklog(ref);
  return true;
}
