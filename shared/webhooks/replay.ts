import { type DueHint, overdueHints, removeHint } from '../data/table/due-hints.ts';
import type { Table } from '../data/table/table.ts';
import { moveDelivery, newDelivery, putDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import type { EndpointRef } from '../data/webhooks/endpoint-state-row.ts';
import { readEndpoint } from '../data/webhooks/endpoints.ts';
import { moveReplay, type ReplayRecord, readReplay } from '../data/webhooks/replays.ts';
import { wants } from '../domain/webhooks/subscriptions.ts';
import { type FeedEvent, readFeed } from '../outbox/feed.ts';
import type { Attempt } from '../platform/round.ts';
import type { DelayedDelivery } from './delivery-messages.ts';

export interface ReplayDeps {
  readonly table: Table;
  readonly nowMs: number;
  readonly sendRetries: (messages: readonly DelayedDelivery[]) => Promise<void>;
  readonly hasTime: () => boolean;
  readonly attempt: Attempt;
}

const stepSeconds = 60;
/** What one step queues at most, and what it reads at most to find it, so that every replay gets its part of the minute. */
const maxQueued = 3_000;
const maxRead = 10_000;
const pageSize = 50;
const pausedSeconds = 300;
const queueGraceSeconds = 120;

/** Moves every replay on by one minute's worth. */
export async function runReplays(deps: ReplayDeps): Promise<void> {
  for await (const hints of overdueHints(deps.table, 'replay', Math.floor(deps.nowMs / 1000))) {
    for (const hint of hints) if (deps.hasTime()) await deps.attempt(hint.ref, () => runReplay(deps, hint));
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
  // What cannot keep up with the present must not be given the past as well.
  if (endpoint.status === 'disabled' || endpointState.held) {
    await moveReplay(table, ref, replay, { ...replay, hintUnix: nowUnix + pausedSeconds });
    return;
  }
  const { after, isEnd } = await step(deps, { ref, replay, endpoint });
  const next = isEnd ? undefined : { ...replay, after, hintUnix: nowUnix + stepSeconds };
  await moveReplay(table, ref, replay, next);
}

interface Step {
  readonly ref: EndpointRef;
  readonly replay: ReplayRecord;
  readonly endpoint: EndpointRecord;
}

/**
 * Queues the next events, spread over the minute at half the endpoint's pace, so that the other half is left for what
 * happens meanwhile. Answers the event to go on after, and whether there are no more.
 */
async function step(
  deps: ReplayDeps,
  { ref, replay, endpoint }: Step,
): Promise<{ readonly after: string | undefined; readonly isEnd: boolean }> {
  const perSecond = endpoint.ratePerSecond / 2;
  const most = Math.min(maxQueued, perSecond * stepSeconds);
  const { sinceMs, untilMs, types } = replay;
  let { after } = replay;
  for (let read = 0, queued = 0; read < maxRead && queued < most && deps.hasTime(); read += pageSize) {
    const page = await readFeed(deps.table, ref.orgId, { after, limit: pageSize, sinceMs, untilMs, nowMs: deps.nowMs });
    const wanted = page.events.filter(({ type }) => wants(types, type));
    const messages = await Promise.all(
      wanted.map((event, index) =>
        queueAgain(deps, ref, { replay, event, delaySeconds: Math.floor((queued + index) / perSecond) }),
      ),
    );
    await deps.sendRetries(messages.filter((message) => message !== undefined));
    queued += wanted.length;
    if (page.next === undefined) return { after, isEnd: true };
    after = page.next;
  }
  return { after, isEnd: false };
}

interface Again {
  readonly replay: ReplayRecord;
  readonly event: FeedEvent;
  readonly delaySeconds: number;
}

/** A step that is done twice, after a crash, leaves alone what it has queued before. */
async function queueAgain(
  { table, nowMs }: ReplayDeps,
  { orgId, endpointId }: EndpointRef,
  { replay, event, delaySeconds }: Again,
): Promise<DelayedDelivery | undefined> {
  const { replayId } = replay;
  const { eventId, type } = event;
  const order = newDelivery({ orgId, endpointId, eventId, type }, nowMs + delaySeconds * 1000);
  const fresh: DeliveryRecord = { ...order, createdUnix: Math.floor(nowMs / 1000), replayId };
  const found = await putDelivery(table, fresh);
  if (found !== fresh) {
    if (found.replayId === replayId || found.leaseMs >= nowMs || found.status === 'queued') return undefined;
    const { nextMs } = fresh;
    const hintUnix = Math.ceil((nextMs ?? nowMs) / 1000) + queueGraceSeconds;
    const again = { ...found, status: 'queued' as const, spent: 0, nextMs, hintUnix, replayId };
    if (!(await moveDelivery(table, found, again))) return undefined;
  }
  return { orgId, endpointId, eventId, delaySeconds };
}
