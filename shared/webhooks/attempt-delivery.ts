import { retryRaces } from '../data/table/retry.ts';
import { moveDelivery, putAcknowledged, readDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { type SendSettings, signingSecrets } from '../data/webhooks/endpoint-row.ts';
import type { EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { countUnanswered } from '../data/webhooks/send-slots.ts';
import { afterAttempt, isUnfinished } from '../domain/webhooks/delivery.ts';
import { evaluateReply, type ReplyEvaluation } from '../domain/webhooks/evaluate-reply.ts';
import { parseRetryAfter } from '../domain/webhooks/retries.ts';
import { unixSeconds } from '../platform/clock.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import { traceFields, traceOf } from '../platform/request-trace.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { maxDelaySeconds } from './delivery-messages.ts';
import { countMetric } from './metrics.ts';
import type { Posted } from './send.ts';
import { signatureHeaders } from './signature.ts';
import { updateCircuit } from './update-circuit.ts';

/** Longer than the timeout of a function that makes an attempt, so two functions never send the same delivery at once. */
export const attemptLeaseMs = 45_000;
/** How long after the planned retry the sweeper checks a delivery, in case its message was lost. */
const retryGraceSeconds = 120;
/** How often the sweeper checks a delivery in the backlog, in case nothing drains it. */
export const parkedCheckSeconds = 1_800;

export interface ClaimedDelivery {
  readonly endpoint: SendSettings;
  /** Leased: no other function sends it. */
  readonly delivery: DeliveryRecord;
  readonly body: string;
  readonly endpointState: EndpointState;
  readonly probe: boolean;
  /** Sent directly: while its response is slow, it counts against the number that one endpoint may occupy. */
  readonly direct: boolean;
}

/** Makes one attempt: signs the stored bytes, posts them, evaluates the response and records the result. */
export function attemptDelivery(
  deps: DeliveryDeps,
  claimed: ClaimedDelivery,
): Promise<{ evaluation: ReplyEvaluation; endpointState: EndpointState }> {
  return log.within(traceFields(claimed.delivery), async () => {
    const result = await postDelivery(deps, claimed);
    await recordResult(deps, claimed, result);
    const endpointState = await concludeAttempt(deps, { claimed, result });
    return { evaluation: result.evaluation, endpointState };
  });
}

/** An attempt whose response has arrived. */
export interface EndedAttempt {
  readonly claimed: ClaimedDelivery;
  readonly result: Result;
}

/** Records the results of several attempts at one endpoint: all acknowledgements in one call, each failure in a call of its own. */
export async function recordAttempts(deps: DeliveryDeps, attempts: readonly EndedAttempt[]): Promise<void> {
  await recordAcknowledgements(deps, attempts.filter(isAcknowledged));
  let [endpointState] = attempts.map(({ claimed }) => claimed.endpointState);
  for (const { claimed, result } of attempts) {
    const ended = { claimed: { ...claimed, endpointState: endpointState ?? claimed.endpointState }, result };
    if (!isAcknowledged(ended)) await recordFailure(deps, ended);
    endpointState = await concludeAttempt(deps, ended);
  }
}

export function recordFailure(deps: DeliveryDeps, { claimed, result }: EndedAttempt): Promise<void> {
  return log.within(traceFields(claimed.delivery), () => recordResult(deps, claimed, result));
}

export function isAcknowledged({ result }: Pick<EndedAttempt, 'result'>): boolean {
  return result.evaluation.outcome === 'delivered';
}

/** Before the end of its lease a delivery belongs to this function. Near the end its row is changed on a condition. */
const leaseMarginMs = 10_000;

export async function recordAcknowledgements(deps: DeliveryDeps, attempts: readonly EndedAttempt[]): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const isLeased = ({ claimed }: EndedAttempt) => claimed.delivery.leaseMs > nowMs + leaseMarginMs;
  const acknowledged = attempts.filter(isLeased).map(({ claimed, result }) => {
    const { delivery, probe } = claimed;
    const next = { ...deliveryAfterAttempt(deps, delivery, probe, result), hintUnix: delivery.hintUnix };
    log.within(traceFields(next), () => logAttempt(next, probe, result));
    return next;
  });
  await putAcknowledged(deps.table, acknowledged);
  for (const attempt of attempts) if (!isLeased(attempt)) await recordResult(deps, attempt.claimed, attempt.result);
}

/** Everything after an attempt but its record: counts it and updates the circuit, whose current state it returns. */
export function concludeAttempt(deps: DeliveryDeps, { claimed, result }: EndedAttempt): Promise<EndpointState> {
  return log.within(traceFields(claimed.delivery), async () => {
    const endpointState = await updateCircuitAfter(deps, claimed, result);
    await endCount(deps, claimed, result);
    return endpointState;
  });
}

async function updateCircuitAfter(
  deps: DeliveryDeps,
  { delivery, endpointState, probe }: ClaimedDelivery,
  { posted, evaluation }: Result,
): Promise<EndpointState> {
  countMetric(evaluation.outcome === 'delivered' ? 'Delivered' : 'DeliveryFailed');
  const { orgId, endpointId, requestId } = delivery;
  const retryAfterMs = parseRetryAfter(posted.retryAfter, deps.clock.nowMs());
  return updateCircuit(deps, { orgId, endpointId }, endpointState, { evaluation, probe, retryAfterMs, requestId });
}

/** Signs and posts a claimed delivery. */
export async function postDelivery(deps: DeliveryDeps, claimed: ClaimedDelivery): Promise<Result> {
  const { delivery, endpoint, body, direct } = claimed;
  const { send, clock, receiversClock, openSecrets, table } = deps;
  const startedUnix = Math.floor(clock.nowMs() / 1000);
  const secrets = await openSecrets(delivery.orgId, delivery.endpointId, signingSecrets(endpoint, startedUnix));
  const timestampUnix = unixSeconds(receiversClock);
  const headers = signatureHeaders({ id: delivery.eventId, timestampUnix, body }, secrets);
  let counted: Result['counted'];
  const onSlow = () => {
    counted = countUnanswered(table, delivery, 1).then(() => true, reportUncounted);
  };
  const posted = await send({ url: endpoint.url, headers, body }, clock, direct ? onSlow : undefined);
  return { posted, evaluation: evaluateReply(posted.reply), startedUnix, counted };
}

/** The number of slow deliveries is a precaution: an attempt must not fail because of it, and a wrong one expires. */
function reportUncounted(error: unknown): false {
  log.warn('The number of unanswered deliveries could not be changed', reasonOf(error));
  return false;
}

async function endCount({ table }: DeliveryDeps, { delivery }: ClaimedDelivery, { counted }: Result): Promise<void> {
  if (await counted) await countUnanswered(table, delivery, -1).catch(reportUncounted);
}

export interface Result {
  readonly posted: Posted;
  readonly evaluation: ReplyEvaluation;
  readonly startedUnix: number;
  /** Set if the response was slow: whether the delivery is counted as unanswered. */
  readonly counted?: Promise<boolean> | undefined;
}

async function recordResult(deps: DeliveryDeps, { delivery, probe }: ClaimedDelivery, result: Result): Promise<void> {
  const next = deliveryAfterAttempt(deps, delivery, probe, result);
  logAttempt(next, probe, result);
  if (!(await moveDelivery(deps.table, delivery, next))) {
    // The lease has expired and another function sends the delivery. An acknowledgement still counts; a failure does not.
    if (next.status === 'delivered') await recordLateAcknowledgement(deps, next);
    return;
  }
  if (next.status === 'dead') countMetric('DeliveryDead');
  const waitMs = (next.nextMs ?? 0) - deps.clock.nowMs();
  if (next.status !== 'waiting' || waitMs > maxDelaySeconds * 1000) return;
  const { orgId, endpointId, eventId } = next;
  // Rounded down: the function that receives the message early waits for the rest of the second.
  const delaySeconds = Math.max(0, Math.floor(waitMs / 1000));
  await deps.sendRetries([{ orgId, endpointId, eventId, ...traceOf(next), delaySeconds }]);
}

const attemptTexts: Readonly<Record<ReplyEvaluation['outcome'], string>> = {
  delivered: 'webhook delivered',
  failed: 'webhook not delivered',
  timeout: 'webhook timed out',
  gone: 'webhook endpoint gone',
};

/** One line per attempt, before its result is stored: a crash in between repeats the attempt, and the log shows both. */
function logAttempt(
  { orgId, endpointId, eventId, type, status, attempts }: DeliveryRecord,
  probe: boolean,
  { posted, evaluation }: Result,
): void {
  log.info(attemptTexts[evaluation.outcome], {
    org_id: orgId,
    webhook_endpoint_id: endpointId,
    event_id: eventId,
    type,
    attempt: attempts.length,
    probe,
    outcome: evaluation.outcome,
    delivery_status: status,
    receiver_status: posted.reply.kind === 'answer' ? posted.reply.status : null,
    duration_ms: posted.durationMs,
  });
}

function deliveryAfterAttempt(
  { clock, random }: DeliveryDeps,
  delivery: DeliveryRecord,
  probe: boolean,
  { posted, evaluation, startedUnix }: Result,
): DeliveryRecord {
  const nowMs = clock.nowMs();
  const progress = afterAttempt(delivery, {
    attempt: {
      atUnix: startedUnix,
      statusCode: posted.reply.kind === 'answer' ? posted.reply.status : null,
      durationMs: posted.durationMs,
      outcome: evaluation.message,
      // Who acknowledges has nothing to say. What is not needed is not kept: it may repeat what was sent.
      response: evaluation.outcome === 'delivered' ? null : posted.text,
    },
    evaluation,
    retryAfterMs: parseRetryAfter(posted.retryAfter, nowMs),
    probe,
    nowMs,
    random: random(),
  });
  return {
    ...delivery,
    ...progress,
    attempts: [...progress.attempts],
    leaseMs: 0,
    hintUnix: nextHintUnix(progress.nextMs, nowMs),
  };
}

/** A short wait is a delayed message, and the hint is only its backup. A longer wait has only the hint. */
function nextHintUnix(nextMs: number | null, nowMs: number): number {
  if (nextMs === null) return Math.floor(nowMs / 1000) + parkedCheckSeconds;
  const isShort = nextMs - nowMs <= maxDelaySeconds * 1000;
  return Math.ceil(nextMs / 1000) + (isShort ? retryGraceSeconds : 0);
}

async function recordLateAcknowledgement({ table }: DeliveryDeps, { attempts, ...ref }: DeliveryRecord): Promise<void> {
  await retryRaces('delivery', async () => {
    const current = await readDelivery(table, ref);
    if (current === undefined || !isUnfinished(current)) return 'ended';
    const delivered = {
      ...current,
      status: 'delivered' as const,
      nextMs: null,
      leaseMs: 0,
      attempts: [...current.attempts, ...attempts.slice(-1)],
    };
    return (await moveDelivery(table, current, delivered)) ? 'ended' : undefined;
  });
}
