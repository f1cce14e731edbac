import { readBacklog, releaseDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { changeLease, leaseBacklog, readEndpointState } from '../data/webhooks/endpoint-state.ts';
import type { EndpointRef, EndpointState } from '../data/webhooks/endpoint-state-row.ts';
import { readEndpoint } from '../data/webhooks/endpoints.ts';
import { isOpen, rateAt } from '../domain/webhooks/circuit.ts';
import { attempt } from './attempt.ts';
import { pace, waitUntil } from './deliver.ts';
import { bodiesOf } from './delivery-body.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { holdBacklog } from './enqueue.ts';
import { type Prepared, prepare } from './prepare.ts';
import { leaveOpen, releaseBacklog } from './release-backlog.ts';

/** How long one function works through a line before it passes the rest on. */
const workMs = 35_000;
const leaseMs = 30_000;
const renewedMs = 10_000;
const pageSize = 25;
/** A line moves on while slow answers are outstanding, up to this many. */
const maxInFlight = 50;
/** A circuit is probed with one of the first few in line, each time with another: one bad event must not keep it open. */
const probedAmong = 10;

/**
 * Works through the line of one endpoint: a single probe while its circuit is open, everything in order and at its pace
 * otherwise. One worker at a time does this, under a lease, so that pace and order need no agreement with anybody.
 */
export async function drainBacklog(deps: DeliveryDeps, ref: EndpointRef): Promise<void> {
  const { table, clock } = deps;
  const endpoint = await readEndpoint(table, ref.orgId, ref.endpointId);
  if (endpoint === undefined || endpoint.status === 'disabled') return;
  const startedMs = clock.nowMs();
  const untilMs = startedMs + leaseMs;
  const endpointState = await leaseBacklog(table, ref, { nowMs: startedMs, untilMs });
  if (endpointState === undefined) return;
  const shift = new Shift(deps, { ref, endpoint, endpointState, leasedUntilMs: untilMs, endsMs: startedMs + workMs });
  await shift.work();
}

interface ShiftStart {
  readonly ref: EndpointRef;
  readonly endpoint: EndpointRecord;
  readonly endpointState: EndpointState;
  readonly leasedUntilMs: number;
  readonly endsMs: number;
}

/** One worker's time at one line. */
class Shift {
  private readonly deps: DeliveryDeps;
  private readonly ref: EndpointRef;
  private endpoint: EndpointRecord;
  private readonly endsMs: number;
  private endpointState: EndpointState;
  private leasedUntilMs: number;
  private freeMs: number;
  private readonly inFlight = new Set<Promise<void>>();
  private isStopped = false;
  private failure: unknown;

  constructor(deps: DeliveryDeps, { ref, endpoint, endpointState, leasedUntilMs, endsMs }: ShiftStart) {
    this.deps = deps;
    this.ref = ref;
    this.endpoint = endpoint;
    this.endpointState = endpointState;
    this.leasedUntilMs = leasedUntilMs;
    this.endsMs = endsMs;
    this.freeMs = endpointState.freeMs;
  }

  async work(): Promise<void> {
    try {
      if (!isOpen(this.endpointState) || (await this.probe())) await this.walk();
    } finally {
      await Promise.all(this.inFlight);
      await this.uncount();
    }
    if (this.failure !== undefined) throw this.failure;
  }

  /** Whether the endpoint is back. Before its time nothing is sent: the message that brings the time is on its way. */
  private async probe(): Promise<boolean> {
    const { nextProbeMs, probes } = this.endpointState;
    if ((nextProbeMs ?? 0) > this.deps.clock.nowMs()) return false;
    const line = await readBacklog(this.deps.table, this.ref, { limit: probedAmong });
    const delivery = line[probes % Math.max(1, line.length)];
    if (delivery === undefined) {
      await leaveOpen(this.deps, this.ref);
      return false;
    }
    const prepared = await prepare(this.deps, delivery);
    if (prepared !== undefined) await this.send(prepared, true);
    if (isOpen(this.endpointState)) return false;
    const { nowMs, intervalMs } = pace(this.endpointState, this.endpoint, this.deps.clock.nowMs());
    this.freeMs = nowMs + intervalMs;
    return true;
  }

  private async walk(): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await readBacklog(this.deps.table, this.ref, { limit: pageSize, after });
      if (page.length === 0) break;
      if (!(await this.isStillWanted())) return;
      if (!this.endpointState.held) await this.hold();
      for (let from = 0; from < page.length; ) {
        if (!(await this.mayGoOn())) return this.passOn();
        const some = page.slice(from, from + this.maxPrepared());
        await this.startAll(await this.prepareAll(some));
        from += some.length;
      }
      after = page.at(-1)?.eventId;
    }
    await Promise.all(this.inFlight);
    if (!this.isStopped && (await releaseBacklog(this.deps, this.ref, this.freeMs))) this.leasedUntilMs = 0;
  }

  /** Found in line although it is not held: they came just as the last worker left. Others went straight until now. */
  private async hold(): Promise<void> {
    await holdBacklog(this.deps, this.ref, this.endpointState);
    this.endpointState = await readEndpointState(this.deps.table, this.ref);
    this.freeMs = Math.max(this.freeMs, this.endpointState.freeMs);
  }

  /** The organisation may change or disable the endpoint at any moment. */
  private async isStillWanted(): Promise<boolean> {
    const endpoint = await readEndpoint(this.deps.table, this.ref.orgId, this.ref.endpointId);
    if (endpoint === undefined || endpoint.status === 'disabled') return false;
    this.endpoint = endpoint;
    return true;
  }

  /** As many as are sent in two seconds: claimed together, none of them claimed for long before it is sent. */
  private maxPrepared(): number {
    return Math.ceil(2 * rateAt(this.endpointState, this.endpoint.ratePerSecond, this.deps.clock.nowMs()));
  }

  private async prepareAll(some: readonly DeliveryRecord[]): Promise<(Prepared | undefined)[]> {
    const bodies = await bodiesOf(this.deps, some);
    return Promise.all(some.map((delivery) => prepare(this.deps, delivery, bodies.get(delivery.eventId))));
  }

  /** Starts each at its moment, and does not wait for answers unless too many are outstanding. */
  private async startAll(some: readonly (Prepared | undefined)[]): Promise<void> {
    for (const prepared of some) {
      if (prepared === undefined) continue;
      while (this.inFlight.size >= maxInFlight) await Promise.race(this.inFlight);
      if (!this.isStopped) await waitUntil(this.deps, this.freeMs);
      if (this.isStopped) await releaseDelivery(this.deps.table, prepared.delivery);
      else this.start(prepared);
    }
  }

  private start(prepared: Prepared): void {
    const { nowMs, intervalMs } = pace(this.endpointState, this.endpoint, this.deps.clock.nowMs());
    this.freeMs = nowMs + intervalMs;
    const sending: Promise<void> = this.send(prepared, false)
      .catch((error: unknown) => {
        this.failure = error;
        this.isStopped = true;
      })
      .finally(() => this.inFlight.delete(sending));
    this.inFlight.add(sending);
  }

  private async send(prepared: Prepared, probe: boolean): Promise<void> {
    const { endpoint, endpointState } = this;
    const { verdict, endpointState: noted } = await attempt(this.deps, { ...prepared, endpoint, endpointState, probe });
    // Answers come in any order; what is known later counts.
    if (noted.version >= this.endpointState.version) this.endpointState = noted;
    if (isOpen(noted) || verdict.outcome === 'gone') this.isStopped = true;
  }

  private async mayGoOn(): Promise<boolean> {
    const nowMs = this.deps.clock.nowMs();
    if (this.isStopped || nowMs >= this.endsMs) return false;
    if (nowMs < this.leasedUntilMs - leaseMs + renewedMs) return true;
    const isMine = await this.changeLease(nowMs + leaseMs);
    if (!isMine) this.isStopped = true;
    return isMine;
  }

  private async changeLease(untilMs: number): Promise<boolean> {
    // Only while the line is held is the pace kept here alone.
    const freeMs = this.endpointState.held ? this.freeMs : undefined;
    const change = { fromMs: this.leasedUntilMs, untilMs, freeMs };
    const isMine = await changeLease(this.deps.table, this.ref, change);
    if (isMine) this.leasedUntilMs = untilMs;
    return isMine;
  }

  private async uncount(): Promise<void> {
    if (this.leasedUntilMs > 0) await this.changeLease(0);
  }

  /** The time is up, not the line: the next worker takes over where this one ends. */
  private async passOn(): Promise<void> {
    await Promise.all(this.inFlight);
    if (this.isStopped) return;
    await this.uncount();
    await this.deps.wakeBacklog(this.ref);
  }
}
