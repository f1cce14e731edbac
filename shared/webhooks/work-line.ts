import { claimDelivery, readLine } from '../data/webhook-deliveries.ts';
import type { DeliveryRecord } from '../data/webhook-deliveries-row.ts';
import { readEndpoint } from '../data/webhook-endpoints.ts';
import type { EndpointRecord } from '../data/webhook-endpoints-row.ts';
import { changeLease, leaseLine } from '../data/webhook-lanes.ts';
import type { EndpointRef, Lane } from '../data/webhook-lanes-row.ts';
import { isOpen } from '../domain/webhook-circuit.ts';
import { attempt, attemptLeaseMs } from './attempt.ts';
import { pace, waitUntil } from './deliver.ts';
import { bodyOf, giveUpWithoutBody } from './delivery-body.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { leaveOpen, letGo } from './let-go.ts';
import { holdLine } from './stand-in-line.ts';

/** How long one function works through a line before it passes the rest on. */
const workMs = 35_000;
const leaseMs = 30_000;
const renewedMs = 10_000;
const pageSize = 25;
/** A line moves on while slow answers are outstanding, up to this many. */
const mostInFlight = 50;
/** A circuit is probed with one of the first few in line, each time with another: one bad event must not keep it open. */
const probedAmong = 10;

/**
 * Works through the line of one endpoint: a single probe while its circuit is open, everything in order and at its pace
 * otherwise. One worker at a time does this, under a lease, so that pace and order need no agreement with anybody.
 */
export async function workLine(deps: DeliveryDeps, ref: EndpointRef): Promise<void> {
  const { table, clock } = deps;
  const endpoint = await readEndpoint(table, ref.orgId, ref.endpointId);
  if (endpoint === undefined || endpoint.status === 'disabled') return;
  const startedMs = clock.nowMs();
  const untilMs = startedMs + leaseMs;
  const lane = await leaseLine(table, ref, { nowMs: startedMs, untilMs });
  if (lane === undefined) return;
  const shift = new Shift(deps, { ref, endpoint, lane, leasedUntilMs: untilMs, endsMs: startedMs + workMs });
  await shift.work();
}

interface ShiftStart {
  readonly ref: EndpointRef;
  readonly endpoint: EndpointRecord;
  readonly lane: Lane;
  readonly leasedUntilMs: number;
  readonly endsMs: number;
}

/** One worker's time at one line. */
class Shift {
  private readonly deps: DeliveryDeps;
  private readonly ref: EndpointRef;
  private readonly endpoint: EndpointRecord;
  private readonly endsMs: number;
  private lane: Lane;
  private leasedUntilMs: number;
  private freeMs: number;
  private readonly inFlight = new Set<Promise<void>>();
  private isStopped = false;
  private failure: unknown;

  constructor(deps: DeliveryDeps, { ref, endpoint, lane, leasedUntilMs, endsMs }: ShiftStart) {
    this.deps = deps;
    this.ref = ref;
    this.endpoint = endpoint;
    this.lane = lane;
    this.leasedUntilMs = leasedUntilMs;
    this.endsMs = endsMs;
    this.freeMs = lane.freeMs;
  }

  async work(): Promise<void> {
    try {
      if (!isOpen(this.lane) || (await this.probe())) await this.walk();
    } finally {
      await Promise.all(this.inFlight);
      await changeLease(this.deps.table, this.ref, this.leasedUntilMs, 0);
    }
    if (this.failure !== undefined) throw this.failure;
  }

  /** Whether the endpoint is back. Before its time nothing is sent: the message that brings the time is on its way. */
  private async probe(): Promise<boolean> {
    const { nextProbeMs, probes } = this.lane;
    if ((nextProbeMs ?? 0) > this.deps.clock.nowMs()) return false;
    const line = await readLine(this.deps.table, this.ref, { limit: probedAmong });
    const delivery = line[probes % Math.max(1, line.length)];
    if (delivery === undefined) {
      await leaveOpen(this.deps, this.ref);
      return false;
    }
    await this.send(delivery, true);
    return !isOpen(this.lane);
  }

  private async walk(): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await readLine(this.deps.table, this.ref, { limit: pageSize, after });
      if (page.length === 0) break;
      // Found in line although it is not held: they came just as the last worker left.
      this.lane = await holdLine(this.deps, this.ref, this.lane);
      for (const delivery of page) {
        if (!(await this.mayGoOn())) return this.passOn();
        await this.startNext(delivery);
      }
      after = page.at(-1)?.eventId;
    }
    await Promise.all(this.inFlight);
    if (!this.isStopped) await letGo(this.deps, this.ref, this.freeMs);
  }

  /** Starts one, at its moment, and does not wait for the answer unless too many are outstanding. */
  private async startNext(delivery: DeliveryRecord): Promise<void> {
    while (this.inFlight.size >= mostInFlight) await Promise.race(this.inFlight);
    await waitUntil(this.deps, this.freeMs);
    if (this.isStopped) return;
    const { nowMs, intervalMs } = pace(this.lane, this.endpoint, this.deps.clock.nowMs());
    this.freeMs = nowMs + intervalMs;
    const sending: Promise<void> = this.send(delivery, false)
      .catch((error: unknown) => {
        this.failure = error;
        this.isStopped = true;
      })
      .finally(() => this.inFlight.delete(sending));
    this.inFlight.add(sending);
  }

  private async send(delivery: DeliveryRecord, probe: boolean): Promise<void> {
    const { table, clock } = this.deps;
    const nowMs = clock.nowMs();
    const claimed = await claimDelivery(table, delivery, nowMs, nowMs + attemptLeaseMs);
    if (claimed === undefined) return;
    const body = await bodyOf(this.deps, claimed);
    if (body === undefined) return giveUpWithoutBody(this.deps, claimed);
    const { endpoint, lane } = this;
    const { verdict, lane: noted } = await attempt(this.deps, { endpoint, delivery: claimed, body, lane, probe });
    // Answers come in any order; what is known later counts.
    if (noted.version >= this.lane.version) this.lane = noted;
    if (isOpen(noted) || verdict.outcome === 'gone') this.isStopped = true;
  }

  private async mayGoOn(): Promise<boolean> {
    const nowMs = this.deps.clock.nowMs();
    if (this.isStopped || nowMs >= this.endsMs) return false;
    if (nowMs < this.leasedUntilMs - leaseMs + renewedMs) return true;
    const untilMs = nowMs + leaseMs;
    const isMine = await changeLease(this.deps.table, this.ref, this.leasedUntilMs, untilMs);
    if (isMine) this.leasedUntilMs = untilMs;
    else this.isStopped = true;
    return isMine;
  }

  /** The time is up, not the line: the next worker takes over where this one ends. */
  private async passOn(): Promise<void> {
    await Promise.all(this.inFlight);
    if (this.isStopped) return;
    await changeLease(this.deps.table, this.ref, this.leasedUntilMs, 0);
    await this.deps.wakeLine(this.ref);
  }
}
