import { type TransactItem, transact } from '../data/table/transact.ts';
import { type EndpointRecord, endpointItem } from '../data/webhooks/endpoint-row.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, type EndpointState, endpointStateUpdate } from '../data/webhooks/endpoint-state-row.ts';
import { readEndpoint } from '../data/webhooks/endpoints.ts';
import { type Attempted, afterAttempt, healthy, isOpen, type Judged } from '../domain/webhooks/circuit.ts';
import type { Verdict } from '../domain/webhooks/verdict.ts';
import { announce } from '../outbox/outbox.ts';
import { Fault } from '../platform/fault.ts';
import { log } from '../platform/log.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { longestDelaySeconds } from './delivery-messages.ts';
import { countMetric } from './metrics.ts';

const maxAttempts = 20;
/** How much later than it should the sweeper looks at a line. */
const backlogGraceSeconds = 60;

export interface AttemptResult {
  readonly verdict: Verdict;
  readonly probe: boolean;
  /** For how long the endpoint asked to be left alone. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Lets an endpoint's circuit know what became of an attempt, and tells the organisation what it has to hear. An
 * acknowledgement of a healthy endpoint, which is nearly every one, changes nothing and costs nothing.
 */
export async function updateCircuit(
  deps: DeliveryDeps,
  ref: EndpointRef,
  known: EndpointState,
  noted: AttemptResult,
): Promise<EndpointState> {
  const { verdict } = noted;
  if (verdict.outcome === 'delivered' && known.failures === 0 && !isOpen(known)) return known;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const [from, endpoint] = await Promise.all([
      readEndpointState(deps.table, ref),
      readEndpoint(deps.table, ref.orgId, ref.endpointId),
    ]);
    if (endpoint === undefined || endpoint.status === 'disabled') return from;
    const nowMs = deps.clock.nowMs();
    const judged = nextCircuit(from, noted, nowMs);
    const to = nextEndpointState(from, judged, nowMs);
    const items = [
      ...endpointStateUpdate(deps.table, ref, from, to),
      ...newsItems(deps, ref, { endpoint, judged, verdict, nowMs }),
    ];
    if ((await transact(deps.table, items)).length > 0) continue;
    await tell(deps, ref, { from, to, news: judged.news, nowMs });
    return { ...to, version: from.version + 1 };
  }
  throw new Fault('Too many concurrent changes to the circuit of a webhook endpoint.');
}

function nextCircuit(
  endpointState: EndpointState,
  { verdict: { outcome }, probe, retryAfterMs }: AttemptResult,
  nowMs: number,
): Judged {
  if (outcome === 'gone') return { circuit: endpointState, news: 'disabled' };
  const attempted: Attempted = { outcome, probe, retryAfterMs };
  return afterAttempt(endpointState, attempted, nowMs);
}

function nextEndpointState(from: EndpointState, { circuit, news }: Judged, nowMs: number): EndpointState {
  // Nothing goes to a disabled endpoint, so there is nothing to hold or to look at until it is enabled again.
  if (news === 'disabled') return { ...from, ...healthy, held: false, hintUnix: null, freeMs: nowMs };
  const to = { ...from, ...circuit };
  if (!isOpen(circuit)) return to;
  const probeMs = circuit.nextProbeMs ?? nowMs;
  // A pause that is too long for a message has nothing but its hint.
  const graceSeconds = secondsUntil(probeMs, nowMs) > longestDelaySeconds ? 0 : backlogGraceSeconds;
  return { ...to, held: true, hintUnix: Math.ceil(probeMs / 1000) + graceSeconds };
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

interface News {
  readonly endpoint: EndpointRecord;
  readonly judged: Judged;
  readonly verdict: Verdict;
  readonly nowMs: number;
}

/** What the organisation hears of is written together with what happened, like everything else that is announced. */
function newsItems({ table, describe }: DeliveryDeps, ref: EndpointRef, news: News): readonly TransactItem[] {
  const { endpoint, judged, verdict, nowMs } = news;
  if (judged.news === undefined) return [];
  if (judged.news === 'failing') {
    const failingSince = Math.floor((judged.circuit.failingSinceMs ?? nowMs) / 1000);
    const data = { webhook_endpoint: describe(endpoint), failing_since: failingSince };
    return announce(table, ref.orgId, { type: 'webhook_endpoint.failing', data }, nowMs);
  }
  const disabled: EndpointRecord = {
    ...endpoint,
    status: 'disabled',
    disabledReason:
      verdict.outcome === 'gone'
        ? 'The endpoint returned 410 Gone.'
        : 'The endpoint has not acknowledged an event for five days.',
    updatedUnix: Math.floor(nowMs / 1000),
    version: endpoint.version + 1,
  };
  const put = {
    TableName: table.name,
    Item: endpointItem(ref.orgId, disabled),
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': endpoint.version },
  };
  const data = { webhook_endpoint: describe(disabled) };
  return [{ Put: put }, ...announce(table, ref.orgId, { type: 'webhook_endpoint.disabled', data }, nowMs)];
}

interface Told {
  readonly from: EndpointState;
  readonly to: EndpointState;
  readonly news: Judged['news'];
  readonly nowMs: number;
}

/** After it is written: whoever works through the line is woken when the next probe is due, or at once. */
async function tell(deps: DeliveryDeps, ref: EndpointRef, { from, to, news, nowMs }: Told): Promise<void> {
  const ids = { org_id: ref.orgId, webhook_endpoint_id: ref.endpointId };
  if (news === 'disabled') {
    log.warn('webhook endpoint disabled', ids);
    countMetric('EndpointDisabled');
    return;
  }
  if (isOpen(to) && to.nextProbeMs !== from.nextProbeMs) {
    if (!isOpen(from)) {
      log.warn('circuit opened', ids);
      countMetric('CircuitOpened');
    }
    const delaySeconds = secondsUntil(to.nextProbeMs ?? nowMs, nowMs);
    if (delaySeconds <= longestDelaySeconds) await deps.wakeBacklog(ref, delaySeconds);
  }
  if (isOpen(from) && !isOpen(to)) await deps.wakeBacklog(ref);
}
