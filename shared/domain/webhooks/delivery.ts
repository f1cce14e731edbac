import type { ReplyEvaluation } from './evaluate-reply.ts';
import { retryDelayMs } from './retries.ts';

export const deliveryStatuses = ['queued', 'delivered', 'waiting', 'parked', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Attempt {
  readonly atUnix: number;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly outcome: string;
  readonly response: string | null;
}

/** The progress of a delivery. */
export interface Progress {
  readonly status: DeliveryStatus;
  /** How many attempts of the schedule are used up. Probes of a failing endpoint use up none. */
  readonly spent: number;
  /** When the next attempt is due; null if that is not known. */
  readonly nextMs: number | null;
  readonly attempts: readonly Attempt[];
}

/** Finished deliveries need no further processing. */
export const isUnfinished = ({ status }: Pick<Progress, 'status'>): boolean =>
  status === 'queued' || status === 'waiting' || status === 'parked';

export interface EndedAttempt {
  readonly attempt: Attempt;
  readonly evaluation: ReplyEvaluation;
  readonly retryAfterMs: number | undefined;
  /** Whether it was a probe of a failing endpoint: after a failure it stays in the backlog and uses up no attempt. */
  readonly probe: boolean;
  readonly nowMs: number;
  /** A random number from 0 to 1. */
  readonly random: number;
}

/** More than the schedule has, because the log contains probes too, but not those of several days. */
const maxAttemptsKept = 25;

export function afterAttempt(progress: Progress, ended: EndedAttempt): Progress {
  const attempts = [...progress.attempts, ended.attempt].slice(-maxAttemptsKept);
  const { evaluation, probe, nowMs } = ended;
  if (evaluation.outcome === 'delivered') return { ...progress, status: 'delivered', nextMs: null, attempts };
  if (evaluation.outcome === 'gone') return { ...progress, status: 'dead', nextMs: null, attempts };
  if (probe) return { ...progress, status: 'parked', nextMs: null, attempts };
  const spent = progress.spent + 1;
  const waitMs = retryDelayMs(spent, ended.random, ended.retryAfterMs);
  if (waitMs === undefined) return { status: 'dead', spent, nextMs: null, attempts };
  return { status: 'waiting', spent, nextMs: nowMs + waitMs, attempts };
}
