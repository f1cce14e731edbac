import { type DueHint, overdueHints, removeHint } from '../data/table/due-hints.ts';
import type { Table } from '../data/table/table.ts';
import { moveDelivery, newDelivery, putDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import type { EndpointRef } from '../data/webhooks/endpoint-state-row.ts';
import { readEndpoint } from '../data/webhooks/endpoints.ts';
import { moveReplay, type ReplayRecord, readReplay } from '../data/webhooks/replays.ts';
import { isSubscribed } from '../domain/webhooks/subscriptions.ts';
import { type FeedEvent, readFeed } from '../outbox/feed.ts';
import type { SweepAttempt } from '../platform/sweep-run.ts';
import type { DelayedDelivery } from './delivery-messages.ts';

export interface ReplayDeps {
  readonly table: Table;
  readonly nowMs: number;
  readonly sendRetries: (messages: readonly DelayedDelivery[]) => Promise<void>;
  readonly hasTime: () => boolean;
  readonly attempt: SweepAttempt;
}

const stepSeconds = 60;
/** The maximum that one step queues and reads, so every replay gets its share of the minute. */
const maxQueued = 3_000;
const maxRead = 10_000;
const pageSize = 50;
const pausedSeconds = 300;
const queueGraceSeconds = 120;

/** Advances every replay by one minute. */
export async function runReplays(deps: ReplayDeps): Promise<void> {
  for await (const hints of overdueHints(deps.table, 'replay', Math.floor(deps.nowMs / 1000))) {
    for (const hint of hints) if (deps.hasTime()) await deps.attempt(hint, () => runReplay(deps, hint));
  }
}

async function runReplay(deps: ReplayDeps, hint: DueHint): Promise<void> {
  const { table, nowMs } = deps;
  const [orgId, endpointId = ''] = hint.ref;
  const ref = { orgId, endpointId };
  const [replay, endpoint, endpointState] = await Promise.all([
    readReplay(table, ref),
    readEndpoint(table, orgId, endpointId),
    readEndpointState(table, ref),
  ]);
  if (replay === undefined || endpoint === undefined || replay.hintUnix !== hint.dueUnix) {
    await removeHint(table, hint);
    return;
  }
  const nowUnix = Math.floor(nowMs / 1000);
  // An endpoint that cannot keep up with new events must not get old ones as well.
  if (endpoint.status === 'disabled' || endpointState.held) {
    await moveReplay(table, ref, replay, { ...replay, hintUnix: nowUnix + pausedSeconds });
    return;
  }
  const { after, isEnd } = await queueNextEvents(deps, { ref, replay, endpoint });
  const next = isEnd ? undefined : { ...replay, after, hintUnix: nowUnix + stepSeconds };
  await moveReplay(table, ref, replay, next);
}

interface ReplayStep {
  readonly ref: EndpointRef;
  readonly replay: ReplayRecord;
  readonly endpoint: EndpointRecord;
}

/**
 * Queues the next events, spread over the minute at half the endpoint's rate, so the other half remains for new events.
 * Returns the event to continue after, and whether there are no more.
 */
async function queueNextEvents(
  deps: ReplayDeps,
  { ref, replay, endpoint }: ReplayStep,
): Promise<{ readonly after: string | undefined; readonly isEnd: boolean }> {
  const perSecond = endpoint.ratePerSecond / 2;
  const maxInStep = Math.min(maxQueued, perSecond * stepSeconds);
  const { sinceMs, untilMs, types } = replay;
  let { after } = replay;
  for (let read = 0, queued = 0; read < maxRead && queued < maxInStep && deps.hasTime(); read += pageSize) {
    const page = await readFeed(deps.table, ref.orgId, { after, limit: pageSize, sinceMs, untilMs, nowMs: deps.nowMs });
    const subscribed = page.events.filter(({ type }) => isSubscribed(types, type));
    const messages = await Promise.all(
      subscribed.map((event, index) =>
        queueForReplay(deps, ref, { replay, event, delaySeconds: Math.floor((queued + index) / perSecond) }),
      ),
    );
    await deps.sendRetries(messages.filter((message) => message !== undefined));
    queued += subscribed.length;
    if (page.next === undefined) return { after, isEnd: true };
    after = page.next;
  }
  return { after, isEnd: false };
}

interface ReplayedEvent {
  readonly replay: ReplayRecord;
  readonly event: FeedEvent;
  readonly delaySeconds: number;
}

/** A step that runs again after a crash skips the deliveries that it has already queued. */
async function queueForReplay(
  { table, nowMs }: ReplayDeps,
  { orgId, endpointId }: EndpointRef,
  { replay, event, delaySeconds }: ReplayedEvent,
): Promise<DelayedDelivery | undefined> {
  const { replayId } = replay;
  const { eventId, type } = event;
  const trace = { requestId: event.requestId, redeliveryRequestId: replay.requestId };
  const delivery = newDelivery({ orgId, endpointId, eventId, type, ...trace }, nowMs + delaySeconds * 1000);
  const planned: DeliveryRecord = { ...delivery, createdUnix: Math.floor(nowMs / 1000), replayId };
  const stored = await putDelivery(table, planned);
  if (stored !== planned) {
    if (stored.replayId === replayId || stored.leaseMs >= nowMs || stored.status === 'queued') return undefined;
    const { nextMs } = planned;
    const hintUnix = Math.ceil((nextMs ?? nowMs) / 1000) + queueGraceSeconds;
    const requeued = { ...stored, ...trace, status: 'queued' as const, spent: 0, nextMs, hintUnix, replayId };
    if (!(await moveDelivery(table, stored, requeued))) return undefined;
  }
  return { orgId, endpointId, eventId, ...trace, delaySeconds };
}
