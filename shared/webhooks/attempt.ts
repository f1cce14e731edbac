import { moveDelivery, readDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { type EndpointRecord, signingSecrets } from '../data/webhooks/endpoint-row.ts';
import type { EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { afterAttempt, isUnfinished } from '../domain/webhooks/delivery.ts';
import { parseRetryAfter } from '../domain/webhooks/retries.ts';
import { judge, type Verdict } from '../domain/webhooks/verdict.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { longestDelaySeconds } from './delivery-messages.ts';
import { countMetric } from './metrics.ts';
import type { Posted } from './send.ts';
import { signatureHeaders } from './signature.ts';
import { updateCircuit } from './update-circuit.ts';

/** Longer than a function lives that makes one attempt, so that nobody else begins before it has ended. */
export const attemptLeaseMs = 45_000;
/** How much later than it should the sweeper looks at a delivery whose message was lost. */
const retryGraceSeconds = 120;
/** How often somebody makes sure that a delivery in line has not been forgotten. */
export const parkedSeconds = 1_800;

export interface Underway {
  readonly endpoint: EndpointRecord;
  /** Claimed: nobody else sends it. */
  readonly delivery: DeliveryRecord;
  readonly body: string;
  readonly endpointState: EndpointState;
  readonly probe: boolean;
}

/** One attempt: sign the stored bytes now, post them, judge the answer, write down what became of it. */
export async function attempt(
  deps: DeliveryDeps,
  underway: Underway,
): Promise<{ verdict: Verdict; endpointState: EndpointState }> {
  const { endpoint, delivery, endpointState, probe } = underway;
  const startedUnix = Math.floor(deps.clock.nowMs() / 1000);
  const posted = await post(deps, underway, startedUnix);
  const verdict = judge(posted.reply);
  await settle(deps, underway, { posted, verdict, startedUnix });
  countMetric(verdict.outcome === 'delivered' ? 'Delivered' : 'DeliveryFailed');
  const ref = { orgId: delivery.orgId, endpointId: endpoint.endpointId };
  const retryAfterMs = parseRetryAfter(posted.retryAfter, deps.clock.nowMs());
  return { verdict, endpointState: await updateCircuit(deps, ref, endpointState, { verdict, probe, retryAfterMs }) };
}

async function post(
  { send, clock, openSecrets }: DeliveryDeps,
  { endpoint, delivery, body }: Underway,
  nowUnix: number,
): Promise<Posted> {
  const secrets = await openSecrets(delivery.orgId, endpoint.endpointId, signingSecrets(endpoint, nowUnix));
  const headers = signatureHeaders({ id: delivery.eventId, timestampUnix: nowUnix, body }, secrets);
  return send({ url: endpoint.url, headers, body }, clock);
}

interface Result {
  readonly posted: Posted;
  readonly verdict: Verdict;
  readonly startedUnix: number;
}

async function settle(deps: DeliveryDeps, { delivery, probe }: Underway, result: Result): Promise<void> {
  const settled = settledDelivery(deps, delivery, probe, result);
  if (!(await moveDelivery(deps.table, delivery, settled))) {
    // The claim ran out and somebody else is on it. An acknowledgement still ends it; a failure is theirs to meet.
    if (settled.status === 'delivered') await endAnyway(deps, settled);
    return;
  }
  if (settled.status === 'dead') countMetric('DeliveryDead');
  const waitMs = (settled.nextMs ?? 0) - deps.clock.nowMs();
  if (settled.status !== 'waiting' || waitMs > longestDelaySeconds * 1000) return;
  const { orgId, endpointId, eventId } = settled;
  // Rounded down: whoever gets it early waits out the rest of the second.
  const delaySeconds = Math.max(0, Math.floor(waitMs / 1000));
  await deps.sendRetries([{ orgId, endpointId, eventId, delaySeconds }]);
}

function settledDelivery(
  { clock, random }: DeliveryDeps,
  delivery: DeliveryRecord,
  probe: boolean,
  { posted, verdict, startedUnix }: Result,
): DeliveryRecord {
  const nowMs = clock.nowMs();
  const progress = afterAttempt(delivery, {
    attempt: {
      atUnix: startedUnix,
      statusCode: posted.reply.kind === 'answer' ? posted.reply.status : null,
      durationMs: posted.durationMs,
      outcome: verdict.words,
      response: posted.text,
    },
    verdict,
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
    hintUnix: hintAfter(progress.nextMs, nowMs),
  };
}

/** A wait that a message rides out has a hint behind it; a longer one has nothing but its hint. */
function hintAfter(nextMs: number | null, nowMs: number): number {
  if (nextMs === null) return Math.floor(nowMs / 1000) + parkedSeconds;
  const isShort = nextMs - nowMs <= longestDelaySeconds * 1000;
  return Math.ceil(nextMs / 1000) + (isShort ? retryGraceSeconds : 0);
}

async function endAnyway({ table }: DeliveryDeps, { attempts, ...settled }: DeliveryRecord): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    const current = await readDelivery(table, settled);
    if (current === undefined || !isUnfinished(current)) return;
    const ended = {
      ...current,
      status: 'delivered' as const,
      nextMs: null,
      leaseMs: 0,
      attempts: [...current.attempts, ...attempts.slice(-1)],
    };
    if (await moveDelivery(table, current, ended)) return;
  }
}
