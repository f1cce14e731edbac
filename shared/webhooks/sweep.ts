import { type DueHint, overdueHints, removeHint } from '../data/table/due-hints.ts';
import type { Table } from '../data/table/table.ts';
import { transact } from '../data/table/transact.ts';
import { moveDelivery, readDelivery, removeDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, endpointStateUpdate } from '../data/webhooks/endpoint-state-row.ts';
import { readEndpoint } from '../data/webhooks/endpoints.ts';
import type { Attempt } from '../platform/round.ts';
import { parkedSeconds } from './attempt.ts';
import type { DelayedDelivery } from './delivery-messages.ts';

export interface SweepDeps {
  readonly table: Table;
  readonly nowUnix: number;
  readonly sendRetries: (messages: readonly DelayedDelivery[]) => Promise<void>;
  readonly wakeBacklog: (ref: EndpointRef) => Promise<void>;
  /** Whether there is still time for another page. */
  readonly hasTime: () => boolean;
  readonly attempt: Attempt;
}

/** How long what is sent from here may take before it is sent again. */
const sentGraceSeconds = 300;
/** The sweeper comes once a minute. What is to be tried before it comes again is sent now, with the rest of its wait. */
const aheadSeconds = 60;
const whileDisabledSeconds = 86_400;
const atOnce = 25;

/**
 * Sends what is due, and what should have been dealt with long ago: waits too long for a queue end here, and so does
 * whatever a crash or a lost message left behind. The hint is moved before the message is sent, so that of two sweepers
 * one sends it, and a crash in between costs minutes.
 */
export async function sweepDeliveries(deps: SweepDeps): Promise<number> {
  const endpoints = new Map<string, Promise<EndpointRecord | undefined>>();
  const backlogs = new Map<string, EndpointRef>();
  let swept = 0;
  for await (const hints of overdueHints(deps.table, 'delivery', deps.nowUnix + aheadSeconds)) {
    for (let from = 0; from < hints.length; from += atOnce) {
      const some = await Promise.all(
        hints
          .slice(from, from + atOnce)
          .map((hint) => deps.attempt(hint.ref, () => sweepDelivery(deps, hint, { endpoints, backlogs }))),
      );
      const due = some.filter((delivery) => delivery !== undefined);
      await deps.sendRetries(
        due.map(({ orgId, endpointId, eventId, nextMs }) => {
          const delaySeconds = Math.max(0, Math.floor((nextMs ?? 0) / 1000) - deps.nowUnix);
          return { orgId, endpointId, eventId, delaySeconds };
        }),
      );
      swept += due.length;
    }
    if (!deps.hasTime()) break;
  }
  for (const ref of backlogs.values()) {
    await deps.attempt([ref.orgId, ref.endpointId], () => deps.wakeBacklog(ref));
  }
  return swept;
}

interface Seen {
  readonly endpoints: Map<string, Promise<EndpointRecord | undefined>>;
  /** Endpoints in whose backlogs somebody has waited for long. */
  readonly backlogs: Map<string, EndpointRef>;
}

/** Answers the delivery if a message is to be sent for it. */
async function sweepDelivery(deps: SweepDeps, hint: DueHint, seen: Seen): Promise<DeliveryRecord | undefined> {
  const { table, nowUnix } = deps;
  const [orgId, endpointId = '', eventId = ''] = hint.ref;
  const delivery = await readDelivery(table, { orgId, endpointId, eventId });
  if (delivery === undefined || delivery.hintUnix !== hint.dueUnix) {
    await removeHint(table, hint);
    return undefined;
  }
  // Not lost: its message is on its way.
  if (hint.dueUnix > nowUnix && !waitsForSweeper(delivery)) return undefined;
  // Somebody is sending it this very moment.
  if (delivery.leaseMs >= nowUnix * 1000) return undefined;
  const known = seen.endpoints.get(endpointId) ?? readEndpoint(table, orgId, endpointId);
  seen.endpoints.set(endpointId, known);
  const endpoint = await known;
  if (endpoint === undefined) {
    await removeDelivery(table, delivery);
    return undefined;
  }
  const isParked = delivery.status === 'parked';
  const isDisabled = endpoint.status === 'disabled';
  const parked = isDisabled ? whileDisabledSeconds : parkedSeconds;
  const moved = { ...delivery, hintUnix: nowUnix + (isParked ? parked : sentGraceSeconds) };
  if (!(await moveDelivery(table, delivery, moved))) return undefined;
  if (!isParked) return moved;
  if (!isDisabled) seen.backlogs.set(endpointId, { orgId, endpointId });
  return undefined;
}

/** Whether its hint is the very moment of its next attempt, because the wait was too long for a message. */
function waitsForSweeper({ status, nextMs, hintUnix }: DeliveryRecord): boolean {
  return status === 'waiting' && nextMs !== null && hintUnix === Math.ceil(nextMs / 1000);
}

/** Lines in which somebody stands always have a hint: when it is due, whoever should have worked through them has not. */
export async function sweepBacklogs(deps: SweepDeps): Promise<number> {
  let swept = 0;
  for await (const hints of overdueHints(deps.table, 'backlog', deps.nowUnix)) {
    for (const hint of hints) if (await deps.attempt(hint.ref, () => sweepBacklog(deps, hint))) swept += 1;
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
  const moved = { ...endpointState, hintUnix: nowUnix + sentGraceSeconds };
  if ((await transact(table, endpointStateUpdate(table, ref, endpointState, moved))).length > 0) return false;
  await wakeBacklog(ref);
  return true;
}
