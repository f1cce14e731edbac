import { longestRetryAfterMs } from './retries.ts';

/**
 * What is known of an endpoint's health. A circuit that is open lets nothing through but one probe at a time; what is to be
 * delivered meanwhile waits in the endpoint's line and spends no attempt.
 */
export interface Circuit {
  /** Failures, and among them timeouts, since the last acknowledgement. */
  readonly failures: number;
  readonly timeouts: number;
  readonly failingSinceMs: number | null;
  /** How many of the notices about these failures have been given. */
  readonly notices: number;
  /** Set while the circuit is open. */
  readonly openedMs: number | null;
  readonly probes: number;
  readonly nextProbeMs: number | null;
  /** When an open circuit last let through again. */
  readonly recoveredMs: number | null;
}

export const healthy: Circuit = {
  failures: 0,
  timeouts: 0,
  failingSinceMs: null,
  notices: 0,
  openedMs: null,
  probes: 0,
  nextProbeMs: null,
  recoveredMs: null,
};

export interface Attempted {
  readonly outcome: 'delivered' | 'failed' | 'timeout';
  /** Whether this was the one that an open circuit let through. */
  readonly probe: boolean;
  /** For how long the endpoint asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

export interface CircuitUpdate {
  readonly circuit: Circuit;
  /** What the organisation has to hear of, if anything. */
  readonly notice: 'failing' | 'disabled' | undefined;
}

const maxTimeouts = 5;
const maxFailures = 10;
/** An endpoint that has just come back is given up sooner. */
const maxFailuresInRecovery = 3;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const probePauses = [30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute] as const;
const noticesAfter = [hour, 24 * hour, 72 * hour] as const;
const disabledAfter = 120 * hour;

/** Recovery starts at one delivery a second and doubles until it has surely passed every endpoint's maximum. */
const doublingMs = 5 * second;
const recoveryMs = minute;

export const isOpen = (circuit: Circuit): boolean => circuit.openedMs !== null;

export function afterAttempt(circuit: Circuit, attempted: Attempted, nowMs: number): CircuitUpdate {
  const { outcome } = attempted;
  if (outcome === 'delivered') return { circuit: delivered(circuit, nowMs), notice: undefined };
  const failed = {
    ...circuit,
    failures: circuit.failures + 1,
    timeouts: outcome === 'timeout' ? circuit.timeouts + 1 : 0,
    failingSinceMs: circuit.failingSinceMs ?? nowMs,
  };
  return withNotice(
    isOpen(circuit) ? afterProbe(failed, attempted, nowMs) : openIfNeeded(failed, attempted, nowMs),
    nowMs,
  );
}

/** A sign of life, from a probe or from an attempt that was still under way when the circuit opened. */
function delivered(circuit: Circuit, nowMs: number): Circuit {
  return { ...healthy, recoveredMs: isOpen(circuit) ? nowMs : circuit.recoveredMs };
}

function openIfNeeded(circuit: Circuit, attempted: Attempted, nowMs: number): Circuit {
  const limit = isRecovering(circuit, nowMs) ? maxFailuresInRecovery : maxFailures;
  if (circuit.timeouts < maxTimeouts && circuit.failures < limit) return circuit;
  return { ...circuit, openedMs: nowMs, probes: 0, nextProbeMs: nowMs + pauseAfter(0, attempted), recoveredMs: null };
}

/** Only a probe moves the next one: what was under way when the circuit opened says nothing new. */
function afterProbe(circuit: Circuit, attempted: Attempted, nowMs: number): Circuit {
  if (!attempted.probe) return circuit;
  const probes = circuit.probes + 1;
  return { ...circuit, probes, nextProbeMs: nowMs + pauseAfter(probes, attempted) };
}

/** An endpoint may ask for a longer pause than it gets, as for retries, but not to be forgotten. */
function pauseAfter(probes: number, { retryAfterMs = 0 }: Attempted): number {
  const pause = probePauses[Math.min(probes, probePauses.length - 1)] ?? 0;
  return Math.max(pause, Math.min(retryAfterMs, longestRetryAfterMs));
}

function withNotice(circuit: Circuit, nowMs: number): CircuitUpdate {
  const failingMs = nowMs - (circuit.failingSinceMs ?? nowMs);
  if (failingMs >= disabledAfter) return { circuit, notice: 'disabled' };
  const notices = noticesAfter.filter((after) => failingMs >= after).length;
  if (notices <= circuit.notices) return { circuit, notice: undefined };
  return { circuit: { ...circuit, notices }, notice: 'failing' };
}

function isRecovering({ recoveredMs }: Circuit, nowMs: number): boolean {
  return recoveredMs !== null && nowMs - recoveredMs < recoveryMs;
}

/** How many deliveries may be started in a second, now. */
export function rateAt(circuit: Circuit, maxPerSecond: number, nowMs: number): number {
  if (circuit.recoveredMs === null || !isRecovering(circuit, nowMs)) return maxPerSecond;
  return Math.min(maxPerSecond, 2 ** Math.floor((nowMs - circuit.recoveredMs) / doublingMs));
}
