import { moveDelivery, readDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { type EndpointRecord, signingSecrets } from '../data/webhooks/endpoint-row.ts';
import type { EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { afterAttempt, isUnfinished } from '../domain/webhooks/delivery.ts';
import { evaluateReply, type ReplyEvaluation } from '../domain/webhooks/evaluate-reply.ts';
import { parseRetryAfter } from '../domain/webhooks/retries.ts';
import { log } from '../platform/log.ts';
import { traceFields, traceOf } from '../platform/request-trace.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { maxDelaySeconds } from './delivery-messages.ts';
import { countMetric } from './metrics.ts';
import type { Posted } from './send.ts';
import { signatureHeaders } from './signature.ts';
import { updateCircuit } from './update-circuit.ts';

/** Longer than the timeout of a function that makes an attempt, so that two functions never send the same delivery at once. */
export const attemptLeaseMs = 45_000;
/** How long after the planned retry the sweeper checks a delivery, in case its message was lost. */
const retryGraceSeconds = 120;
/** How often the sweeper checks a delivery in the backlog, in case nothing drains it. */
export const parkedCheckSeconds = 1_800;

export interface ClaimedDelivery {
  readonly endpoint: EndpointRecord;
  /** Leased: no other function sends it. */
  readonly delivery: DeliveryRecord;
  readonly body: string;
  readonly endpointState: EndpointState;
  readonly probe: boolean;
}

/** Makes one attempt: signs the stored bytes, posts them, evaluates the response and records the result. */
export function attemptDelivery(deps: DeliveryDeps, claimed: ClaimedDelivery): ReturnType<typeof attempt> {
  return log.within(traceFields(claimed.delivery), () => attempt(deps, claimed));
}

async function attempt(
  deps: DeliveryDeps,
  claimed: ClaimedDelivery,
): Promise<{ evaluation: ReplyEvaluation; endpointState: EndpointState }> {
  const { endpoint, delivery, endpointState, probe } = claimed;
  const startedUnix = Math.floor(deps.clock.nowMs() / 1000);
  const posted = await signAndPost(deps, claimed, startedUnix);
  const evaluation = evaluateReply(posted.reply);
  await recordResult(deps, claimed, { posted, evaluation, startedUnix });
  countMetric(evaluation.outcome === 'delivered' ? 'Delivered' : 'DeliveryFailed');
  const ref = { orgId: delivery.orgId, endpointId: endpoint.endpointId };
  const retryAfterMs = parseRetryAfter(posted.retryAfter, deps.clock.nowMs());
  return {
    evaluation,
    endpointState: await updateCircuit(deps, ref, endpointState, {
      evaluation,
      probe,
      retryAfterMs,
      requestId: delivery.requestId,
    }),
  };
}

async function signAndPost(
  { send, clock, openSecrets }: DeliveryDeps,
  { endpoint, delivery, body }: ClaimedDelivery,
  nowUnix: number,
): Promise<Posted> {
  const secrets = await openSecrets(delivery.orgId, endpoint.endpointId, signingSecrets(endpoint, nowUnix));
  const headers = signatureHeaders({ id: delivery.eventId, timestampUnix: nowUnix, body }, secrets);
  return send({ url: endpoint.url, headers, body }, clock);
}

interface Result {
  readonly posted: Posted;
  readonly evaluation: ReplyEvaluation;
  readonly startedUnix: number;
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

/** One line per attempt, before its result is stored: a crash in between repeats the attempt, and the log shows both. */
function logAttempt(
  { orgId, endpointId, eventId, type, status, attempts }: DeliveryRecord,
  probe: boolean,
  { posted, evaluation }: Result,
): void {
  log.info('webhook attempted', {
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
      response: posted.text,
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
  for (let tries = 0; tries < 3; tries += 1) {
    const current = await readDelivery(table, ref);
    if (current === undefined || !isUnfinished(current)) return;
    const delivered = {
      ...current,
      status: 'delivered' as const,
      nextMs: null,
      leaseMs: 0,
      attempts: [...current.attempts, ...attempts.slice(-1)],
    };
    if (await moveDelivery(table, current, delivered)) return;
  }
}
