import { waitAfter } from './retries.ts';
import type { Verdict } from './verdict.ts';

export const deliveryStatuses = ['queued', 'delivered', 'waiting', 'parked', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Attempt {
  readonly atUnix: number;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly outcome: string;
  readonly response: string | null;
}

/** Where a delivery stands on its way. */
export interface Progress {
  readonly status: DeliveryStatus;
  /** How many attempts of the schedule are spent. Probes of a failing endpoint spend none. */
  readonly spent: number;
  /** When it is to be tried next; null when nobody can say. */
  readonly nextMs: number | null;
  readonly attempts: readonly Attempt[];
}

/** Finished ones need nobody's attention any more. */
export const isUnfinished = ({ status }: Pick<Progress, 'status'>): boolean =>
  status === 'queued' || status === 'waiting' || status === 'parked';

export interface Ended {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly retryAfterMs: number | undefined;
  /** Whether it was sent only to see if the endpoint is back: it then stays in line and spends nothing. */
  readonly probe: boolean;
  readonly nowMs: number;
  /** A random number from 0 to 1. */
  readonly random: number;
}

/** More than the schedule has: probes are kept in the log too, but not all of days of them. */
const maxAttemptsKept = 25;

export function afterAttempt(progress: Progress, ended: Ended): Progress {
  const attempts = [...progress.attempts, ended.attempt].slice(-maxAttemptsKept);
  const { verdict, probe, nowMs } = ended;
  if (verdict.outcome === 'delivered') return { ...progress, status: 'delivered', nextMs: null, attempts };
  if (verdict.outcome === 'gone') return { ...progress, status: 'dead', nextMs: null, attempts };
  if (probe) return { ...progress, status: 'parked', nextMs: null, attempts };
  const spent = progress.spent + 1;
  const waitMs = waitAfter(spent, ended.random, ended.retryAfterMs);
  if (waitMs === undefined) return { status: 'dead', spent, nextMs: null, attempts };
  return { status: 'waiting', spent, nextMs: nowMs + waitMs, attempts };
}
