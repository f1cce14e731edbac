import { maxRetryAfterMs } from './retries.ts';

/**
 * The health of an endpoint. An open circuit sends only one probe at a time. Other deliveries wait in the endpoint's backlog
 * and use up no attempt.
 */
export interface Circuit {
  /** Failures, and the timeouts among them, since the last acknowledgement. */
  readonly failures: number;
  readonly timeouts: number;
  readonly failingSinceMs: number | null;
  /** How many notices about these failures have been sent. */
  readonly notices: number;
  /** Set while the circuit is open. */
  readonly openedMs: number | null;
  readonly probes: number;
  readonly nextProbeMs: number | null;
  /** When an open circuit was last closed. */
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

export interface CircuitAttempt {
  readonly outcome: 'delivered' | 'failed' | 'timeout';
  /** Whether this attempt was the probe of an open circuit. */
  readonly probe: boolean;
  /** The pause that the endpoint requested with Retry-After. */
  readonly retryAfterMs?: number | undefined;
}

export interface CircuitUpdate {
  readonly circuit: Circuit;
  /** The notice to send to the organisation, if any. */
  readonly notice: 'failing' | 'disabled' | undefined;
}

const maxTimeouts = 5;
const maxFailures = 10;
/** The circuit of an endpoint that has just recovered opens after fewer failures. */
const maxFailuresInRecovery = 3;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const probePauses = [30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute] as const;
const noticesAfter = [hour, 24 * hour, 72 * hour] as const;
const disabledAfter = 120 * hour;

/** During recovery the rate starts at one delivery a second and doubles until it exceeds the maximum of every endpoint. */
const doublingMs = 5 * second;
const recoveryMs = minute;

export const isOpen = (circuit: Circuit): boolean => circuit.openedMs !== null;

export function afterAttempt(circuit: Circuit, attempted: CircuitAttempt, nowMs: number): CircuitUpdate {
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

/** An acknowledgement closes the circuit, from a probe or from an attempt that was in progress when the circuit opened. */
function delivered(circuit: Circuit, nowMs: number): Circuit {
  return { ...healthy, recoveredMs: isOpen(circuit) ? nowMs : circuit.recoveredMs };
}

function openIfNeeded(circuit: Circuit, attempted: CircuitAttempt, nowMs: number): Circuit {
  const limit = isRecovering(circuit, nowMs) ? maxFailuresInRecovery : maxFailures;
  if (circuit.timeouts < maxTimeouts && circuit.failures < limit) return circuit;
  return { ...circuit, openedMs: nowMs, probes: 0, nextProbeMs: nowMs + probePauseMs(0, attempted), recoveredMs: null };
}

/** Only a probe postpones the next probe. Other attempts were in progress when the circuit opened. */
function afterProbe(circuit: Circuit, attempted: CircuitAttempt, nowMs: number): Circuit {
  if (!attempted.probe) return circuit;
  const probes = circuit.probes + 1;
  return { ...circuit, probes, nextProbeMs: nowMs + probePauseMs(probes, attempted) };
}

/** An endpoint may request a longer pause with Retry-After, up to the same maximum as for retries. */
function probePauseMs(probes: number, { retryAfterMs = 0 }: CircuitAttempt): number {
  const pause = probePauses[Math.min(probes, probePauses.length - 1)] ?? 0;
  return Math.max(pause, Math.min(retryAfterMs, maxRetryAfterMs));
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

/** Returns how many deliveries a second may start now. */
export function rateAt(circuit: Circuit, maxPerSecond: number, nowMs: number): number {
  if (circuit.recoveredMs === null || !isRecovering(circuit, nowMs)) return maxPerSecond;
  return Math.min(maxPerSecond, 2 ** Math.floor((nowMs - circuit.recoveredMs) / doublingMs));
}
