import { readBacklog, releaseDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { changeLease, leaseBacklog, readEndpointState } from '../data/webhooks/endpoint-state.ts';
import type { EndpointRef, EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { readEndpoint } from '../data/webhooks/endpoints.ts';
import { sendIntervalMs } from '../data/webhooks/send-slots.ts';
import { isOpen, rateAt } from '../domain/webhooks/circuit.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import { traceFields } from '../platform/request-trace.ts';
import {
  attemptDelivery,
  type ClaimedDelivery,
  concludeAttempt,
  type EndedAttempt,
  isAcknowledged,
  postDelivery,
  recordAcknowledgements,
  recordFailure,
} from './attempt-delivery.ts';
import { readBodies } from './delivery-body.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { holdBacklog, takeOverSeconds } from './enqueue.ts';
import { type Prepared, prepareDelivery } from './prepare-delivery.ts';
import { releaseBacklog, stopProbing } from './release-backlog.ts';
import { waitUntil } from './wait-until.ts';

/** How long one function drains a backlog before it hands the rest over. */
const workMs = 35_000;
/** After a renewal is due, the rest is longer than an endpoint may take to answer. */
const leaseMs = (takeOverSeconds - 1) * 1000;
const renewAfterMs = 8_000;
const pageSize = 25;
/**
 * How many requests may be in flight: as many as the endpoint acknowledges. The number grows with each acknowledgement, so
 * it doubles within the time of a response, and is halved by each failure.
 */
const inFlightLimits = { first: 50, min: 5, max: 200 };
/** A delivery that starts late makes up for at most this much: an endpoint's rate is not exceeded by more for a second. */
const maxLatenessMs = 100;
/** Each probe sends another one of the first deliveries in the backlog: one bad event must not keep the circuit open. */
const probeCandidates = 10;

/**
 * Drains the backlog of one endpoint: one probe while its circuit is open, otherwise all deliveries in order and at the
 * endpoint's pace. A lease allows one worker at a time, so pace and order need no coordination.
 */
export async function drainBacklog(deps: DeliveryDeps, ref: EndpointRef): Promise<void> {
  const { table, clock } = deps;
  const endpoint = await readEndpoint(table, ref.orgId, ref.endpointId);
  if (endpoint === undefined || endpoint.status === 'disabled') return;
  const startedMs = clock.nowMs();
  const untilMs = startedMs + leaseMs;
  const endpointState = await leaseBacklog(table, ref, { nowMs: startedMs, untilMs });
  if (endpointState === undefined) return;
  const drain = new BacklogDrain(deps, {
    ref,
    endpoint,
    endpointState,
    leasedUntilMs: untilMs,
    endsMs: startedMs + workMs,
  });
  await drain.run();
}

interface DrainStart {
  readonly ref: EndpointRef;
  readonly endpoint: EndpointRecord;
  readonly endpointState: EndpointState;
  readonly leasedUntilMs: number;
  readonly endsMs: number;
}

/** The work of one function on the backlog of one endpoint. */
class BacklogDrain {
  readonly #deps: DeliveryDeps;
  readonly #ref: EndpointRef;
  #endpoint: EndpointRecord;
  readonly #endsMs: number;
  #endpointState: EndpointState;
  #leasedUntilMs: number;
  /** The end of the lease for which a message to the next worker was sent. */
  #plannedMs = 0;
  #freeMs: number;
  readonly #inFlight = new Set<Promise<void>>();
  #inFlightLimit = inFlightLimits.first;
  /** Acknowledged and not recorded yet. After a crash these are sent again, like those in flight. */
  readonly #acknowledged: EndedAttempt[] = [];
  #isStopped = false;
  #failure: unknown;

  constructor(deps: DeliveryDeps, { ref, endpoint, endpointState, leasedUntilMs, endsMs }: DrainStart) {
    this.#deps = deps;
    this.#ref = ref;
    this.#endpoint = endpoint;
    this.#endpointState = endpointState;
    this.#leasedUntilMs = leasedUntilMs;
    this.#endsMs = endsMs;
    // Before now there was nothing to send, or another worker sent it: there is no lateness to make up for.
    this.#freeMs = Math.max(endpointState.freeMs, deps.clock.nowMs());
  }

  async run(): Promise<void> {
    try {
      if (!isOpen(this.#endpointState) || (await this.#probe())) await this.#sendAll();
    } finally {
      await Promise.all(this.#inFlight);
      await this.#record();
      await this.#releaseLease();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Returns whether the circuit is closed again. Sends nothing before the probe is due: a delayed message is on its way. */
  async #probe(): Promise<boolean> {
    const { nextProbeMs, probes } = this.#endpointState;
    if ((nextProbeMs ?? 0) > this.#deps.clock.nowMs()) return false;
    const backlog = await readBacklog(this.#deps.table, this.#ref, { limit: probeCandidates });
    const delivery = backlog[probes % Math.max(1, backlog.length)];
    if (delivery === undefined) {
      await stopProbing(this.#deps, this.#ref);
      return false;
    }
    const prepared = await prepareDelivery(this.#deps, delivery);
    if (prepared !== undefined) await this.#send(prepared, true);
    if (isOpen(this.#endpointState)) return false;
    this.#freeMs = this.#deps.clock.nowMs() + this.#intervalMs();
    return true;
  }

  async #sendAll(): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await readBacklog(this.#deps.table, this.#ref, { limit: pageSize, after });
      if (page.length === 0) break;
      if (!(await this.#isStillEnabled())) return;
      if (!this.#endpointState.held) await this.#hold();
      for (let from = 0; from < page.length; ) {
        if (!(await this.#mayContinue())) return this.#handOver();
        await this.#record();
        const batch = page.slice(from, from + this.#batchSize());
        await this.#startAll(await this.#prepareAll(batch));
        from += batch.length;
      }
      after = page.at(-1)?.eventId;
    }
    await Promise.all(this.#inFlight);
    await this.#record();
    if (!this.#isStopped && (await releaseBacklog(this.#deps, this.#ref, this.#freeMs))) this.#leasedUntilMs = 0;
  }

  /** Deliveries joined the backlog just when the last worker released it. Until now, others were sent directly. */
  async #hold(): Promise<void> {
    await holdBacklog(this.#deps, this.#ref, this.#endpointState);
    this.#endpointState = await readEndpointState(this.#deps.table, this.#ref);
    this.#freeMs = Math.max(this.#freeMs, this.#endpointState.freeMs);
  }

  /** Reads the endpoint again: the organisation may change or disable it at any time. */
  async #isStillEnabled(): Promise<boolean> {
    const endpoint = await readEndpoint(this.#deps.table, this.#ref.orgId, this.#ref.endpointId);
    if (endpoint === undefined || endpoint.status === 'disabled') return false;
    this.#endpoint = endpoint;
    return true;
  }

  /** As many deliveries as are sent in two seconds: they are leased together, and none of them waits long. */
  #batchSize(): number {
    return Math.ceil(2 * rateAt(this.#endpointState, this.#endpoint.ratePerSecond, this.#deps.clock.nowMs()));
  }

  #intervalMs(): number {
    return sendIntervalMs(this.#endpointState, this.#endpoint.ratePerSecond, this.#deps.clock.nowMs());
  }

  async #prepareAll(batch: readonly DeliveryRecord[]): Promise<(Prepared | undefined)[]> {
    const bodies = await readBodies(this.#deps, batch);
    return Promise.all(batch.map((delivery) => prepareDelivery(this.#deps, delivery, bodies.get(delivery.eventId))));
  }

  /** Starts each delivery in its send slot. Waits for responses only when too many requests are in flight. */
  async #startAll(batch: readonly (Prepared | undefined)[]): Promise<void> {
    for (const prepared of batch) {
      if (prepared === undefined) continue;
      await this.#waitForResponses();
      if (!this.#isStopped) await waitUntil(this.#deps, this.#freeMs);
      if (this.#isStopped) await releaseDelivery(this.#deps.table, prepared.delivery);
      else this.#start(prepared);
    }
  }

  async #waitForResponses(): Promise<void> {
    if (this.#inFlight.size < this.#inFlightLimit) return;
    await this.#record();
    while (this.#inFlight.size >= this.#inFlightLimit) await Promise.race(this.#inFlight);
    // The endpoint was slow, not this worker.
    this.#freeMs = Math.max(this.#freeMs, this.#deps.clock.nowMs());
  }

  #start(prepared: Prepared): void {
    this.#freeMs = Math.max(this.#freeMs, this.#deps.clock.nowMs() - maxLatenessMs) + this.#intervalMs();
    const sending: Promise<void> = this.#send(prepared, false)
      .catch((error: unknown) => {
        // The message of the backlog fails as a whole, and does not say whose delivery was the cause.
        const { orgId, endpointId, eventId } = prepared.delivery;
        const about = { org_id: orgId, webhook_endpoint_id: endpointId, event_id: eventId };
        log.error('A delivery of the backlog failed', {
          ...traceFields(prepared.delivery),
          ...about,
          ...reasonOf(error),
        });
        this.#failure = error;
        this.#isStopped = true;
      })
      .finally(() => this.#inFlight.delete(sending));
    this.#inFlight.add(sending);
  }

  async #send(prepared: Prepared, probe: boolean): Promise<void> {
    const [endpoint, endpointState] = [this.#endpoint, this.#endpointState];
    const claimed = { ...prepared, endpoint, endpointState, probe, direct: false };
    const { evaluation, endpointState: updatedState } = probe
      ? await attemptDelivery(this.#deps, claimed)
      : await this.#attempt(claimed);
    this.#inFlightLimit =
      evaluation.outcome === 'delivered'
        ? Math.min(this.#inFlightLimit + 1, inFlightLimits.max)
        : Math.max(Math.floor(this.#inFlightLimit / 2), inFlightLimits.min);
    // Responses arrive in any order; the latest version counts.
    if (updatedState.version >= this.#endpointState.version) this.#endpointState = updatedState;
    if (isOpen(updatedState) || evaluation.outcome === 'gone') this.#isStopped = true;
  }

  /** Acknowledgements are recorded together with others. */
  async #attempt(claimed: ClaimedDelivery): ReturnType<typeof attemptDelivery> {
    const result = await postDelivery(this.#deps, claimed);
    const ended = { claimed, result };
    if (isAcknowledged(ended)) this.#acknowledged.push(ended);
    else await recordFailure(this.#deps, ended);
    return { evaluation: result.evaluation, endpointState: await concludeAttempt(this.#deps, ended) };
  }

  async #record(): Promise<void> {
    await recordAcknowledgements(this.#deps, this.#acknowledged.splice(0));
  }

  async #mayContinue(): Promise<boolean> {
    const nowMs = this.#deps.clock.nowMs();
    if (this.#isStopped || nowMs >= this.#endsMs) return false;
    const isRenewalDue = nowMs >= this.#leasedUntilMs - leaseMs + renewAfterMs;
    if (isRenewalDue && !(await this.#changeLease(nowMs + leaseMs))) {
      this.#isStopped = true;
      return false;
    }
    await this.#planTakeOver();
    return true;
  }

  /** If this worker crashes, its lease has ended when the message arrives, and the next worker continues. */
  async #planTakeOver(): Promise<void> {
    if (this.#plannedMs === this.#leasedUntilMs) return;
    this.#plannedMs = this.#leasedUntilMs;
    await this.#deps.wakeBacklog(this.#ref, takeOverSeconds);
  }

  async #changeLease(untilMs: number): Promise<boolean> {
    // This worker alone controls the pace only while the backlog is held.
    const freeMs = this.#endpointState.held ? this.#freeMs : undefined;
    const change = { fromMs: this.#leasedUntilMs, untilMs, freeMs };
    const isOwner = await changeLease(this.#deps.table, this.#ref, change);
    if (isOwner) this.#leasedUntilMs = untilMs;
    return isOwner;
  }

  async #releaseLease(): Promise<void> {
    if (this.#leasedUntilMs > 0) await this.#changeLease(0);
  }

  /** The time is up and the backlog is not empty: the next worker continues, while this one waits for its last responses. */
  async #handOver(): Promise<void> {
    if (this.#isStopped) return;
    await this.#releaseLease();
    await this.#deps.wakeBacklog(this.#ref);
  }
}
