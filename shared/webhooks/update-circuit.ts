import { retryRaces } from '../data/table/retry.ts';
import { type TransactItem, transact } from '../data/table/transact.ts';
import { type EndpointRecord, endpointItem } from '../data/webhooks/endpoint-row.ts';
import { readEndpointState } from '../data/webhooks/endpoint-state.ts';
import { type EndpointRef, type EndpointState, endpointStateUpdate } from '../data/webhooks/endpoint-state-row.ts';
import { readEndpoint } from '../data/webhooks/endpoints.ts';
import { afterAttempt, type CircuitAttempt, type CircuitUpdate, healthy, isOpen } from '../domain/webhooks/circuit.ts';
import type { ReplyEvaluation } from '../domain/webhooks/evaluate-reply.ts';
import { type Cause, outboxItems } from '../outbox/outbox.ts';
import { log } from '../platform/log.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { maxDelaySeconds } from './delivery-messages.ts';
import { countMetric } from './metrics.ts';

/** How long after the planned probe the sweeper checks a backlog, in case the message was lost. */
const backlogGraceSeconds = 60;

export interface AttemptResult {
  readonly evaluation: ReplyEvaluation;
  readonly probe: boolean;
  /** The Retry-After of the endpoint. */
  readonly retryAfterMs: number | undefined;
  /** The request behind the delivery that was attempted. An event about the endpoint belongs to it, too. */
  readonly requestId: string | undefined;
}

/**
 * Updates the circuit of an endpoint after an attempt and announces to the organisation that the endpoint fails or is
 * disabled. The acknowledgement of a healthy endpoint, which is the usual case, needs no write.
 */
export async function updateCircuit(
  deps: DeliveryDeps,
  ref: EndpointRef,
  lastRead: EndpointState,
  result: AttemptResult,
): Promise<EndpointState> {
  const { evaluation } = result;
  if (evaluation.outcome === 'delivered' && lastRead.failures === 0 && !isOpen(lastRead)) return lastRead;
  return retryRaces('circuit of a webhook endpoint', async () => {
    const [from, endpoint] = await Promise.all([
      readEndpointState(deps.table, ref),
      readEndpoint(deps.table, ref.orgId, ref.endpointId),
    ]);
    if (endpoint === undefined || endpoint.status === 'disabled') return from;
    const nowMs = deps.clock.nowMs();
    const update = nextCircuit(from, result, nowMs);
    const to = nextEndpointState(from, update, nowMs);
    const items = [
      ...endpointStateUpdate(deps.table, ref, from, to),
      ...noticeItems(deps, ref, { endpoint, update, evaluation, cause: { nowMs, requestId: result.requestId } }),
    ];
    if ((await transact(deps.table, items)).length > 0) return undefined;
    await reportChange(deps, ref, { from, to, notice: update.notice, nowMs, requestId: result.requestId });
    return { ...to, version: from.version + 1 };
  });
}

function nextCircuit(
  endpointState: EndpointState,
  { evaluation: { outcome }, probe, retryAfterMs }: AttemptResult,
  nowMs: number,
): CircuitUpdate {
  if (outcome === 'gone') return { circuit: endpointState, notice: 'disabled' };
  const attempted: CircuitAttempt = { outcome, probe, retryAfterMs };
  return afterAttempt(endpointState, attempted, nowMs);
}

function nextEndpointState(from: EndpointState, { circuit, notice }: CircuitUpdate, nowMs: number): EndpointState {
  // Nothing is sent to a disabled endpoint, so there is nothing to hold or to sweep until it is enabled again.
  if (notice === 'disabled') {
    const { settings: copy } = from;
    const settings = copy && { ...copy, status: 'disabled' as const, version: copy.version + 1 };
    return { ...from, ...healthy, held: false, hintUnix: null, freeMs: nowMs, settings };
  }
  const to = { ...from, ...circuit };
  if (!isOpen(circuit)) return to;
  const probeMs = circuit.nextProbeMs ?? nowMs;
  // A pause that is too long for a delayed message has only its hint.
  const graceSeconds = secondsUntil(probeMs, nowMs) > maxDelaySeconds ? 0 : backlogGraceSeconds;
  return { ...to, held: true, hintUnix: Math.ceil(probeMs / 1000) + graceSeconds };
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

interface CircuitNotice {
  readonly endpoint: EndpointRecord;
  readonly update: CircuitUpdate;
  readonly evaluation: ReplyEvaluation;
  readonly cause: Cause;
}

/** The event about the endpoint is written in the transaction of the change, like every event (outbox). */
function noticeItems(
  { table, describe }: DeliveryDeps,
  ref: EndpointRef,
  { endpoint, update, evaluation, cause }: CircuitNotice,
): readonly TransactItem[] {
  if (update.notice === undefined) return [];
  const { nowMs } = cause;
  if (update.notice === 'failing') {
    const failingSince = Math.floor((update.circuit.failingSinceMs ?? nowMs) / 1000);
    const data = { webhook_endpoint: describe(endpoint), failing_since: failingSince };
    return outboxItems(table, ref.orgId, { type: 'webhook_endpoint.failing', data }, cause);
  }
  const disabled: EndpointRecord = {
    ...endpoint,
    status: 'disabled',
    disabledReason:
      evaluation.outcome === 'gone'
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
  return [{ Put: put }, ...outboxItems(table, ref.orgId, { type: 'webhook_endpoint.disabled', data }, cause)];
}

interface StateChange {
  readonly from: EndpointState;
  readonly to: EndpointState;
  readonly notice: CircuitUpdate['notice'];
  readonly nowMs: number;
  readonly requestId: string | undefined;
}

/** Runs after the write: logs the change and wakes the worker that drains the backlog, now or when the next probe is due. */
async function reportChange(
  deps: DeliveryDeps,
  ref: EndpointRef,
  { from, to, notice, nowMs, requestId }: StateChange,
): Promise<void> {
  const ids = { org_id: ref.orgId, webhook_endpoint_id: ref.endpointId };
  if (notice === 'disabled') {
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
    if (delaySeconds <= maxDelaySeconds) await deps.wakeBacklog({ ...ref, requestId }, delaySeconds);
  }
  if (isOpen(from) && !isOpen(to)) await deps.wakeBacklog({ ...ref, requestId });
}
