import type { FigureTable } from '../report/figures.ts';
import type { SimulatedCloud } from './cloud.ts';

/** Counts something by the second of the simulation. */
export class Timeline {
  readonly #startMs: number;
  readonly counts: number[] = [];

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  add(nowMs: number): void {
    const second = Math.floor((nowMs - this.#startMs) / 1000);
    while (this.counts.length <= second) this.counts.push(0);
    this.counts[second] = (this.counts[second] ?? 0) + 1;
  }

  /** The highest average of this many seconds. */
  peak(seconds: number): number {
    let highest = 0;
    for (let from = 0; from < this.counts.length; from += 1) {
      const sum = this.counts.slice(from, from + seconds).reduce((total, count) => total + count, 0);
      highest = Math.max(highest, sum / seconds);
    }
    return highest;
  }
}

export interface CallFigures {
  readonly operation: string;
  readonly calls: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly refused_429: number;
  readonly refused_503: number;
}

/** The latencies and refusals of each operation. */
function callFigures({ api }: SimulatedCloud): readonly CallFigures[] {
  return [...api.figures]
    .map(([operation, { latenciesMs, outcomes }]) => {
      const sorted = [...latenciesMs].sort((a, b) => a - b);
      const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
      return {
        operation,
        calls: sorted.length,
        p50_ms: at(0.5),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
        refused_429: countOf(outcomes, '429'),
        refused_503: countOf(outcomes, '503'),
      };
    })
    .sort((one, other) => one.operation.localeCompare(other.operation));
}

const countOf = (outcomes: ReadonlyMap<string, number>, status: string): number =>
  [...outcomes].reduce((sum, [outcome, count]) => sum + (outcome.startsWith(status) ? count : 0), 0);

/** What refused requests, by its name: a limit, the throttle, the concurrency of functions. */
export function refusalsByReason({ api }: SimulatedCloud): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const [operation, { outcomes }] of api.figures) {
    for (const [outcome, count] of outcomes) {
      if (/^(429|503|409 )/.test(outcome)) reasons[`${operation}: ${outcome}`] = count;
    }
  }
  return reasons;
}

/** Responses that no simulated client expects, such as a 500. Any of them is an error of the simulation or of the service. */
function unexpectedResponses({ api }: SimulatedCloud, expected: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [operation, { outcomes }] of api.figures) {
    for (const [outcome, count] of outcomes)
      if (!expected.includes(outcome.split(' ')[0] ?? '')) found[`${operation} ${outcome}`] = count;
  }
  return found;
}

/** What the table refused, the most frequent first. */
export function refusedByTable({ table: { physics } }: SimulatedCloud): Record<string, number> {
  return Object.fromEntries([...physics.counts.byKind].sort(([, one], [, other]) => other - one));
}

/** What every simulation reports of its calls. */
export interface CallReport {
  readonly calls: readonly CallFigures[];
  readonly refused_by_table: Readonly<Record<string, number>>;
  readonly unexpected_responses: Readonly<Record<string, number>>;
}

/** `expected` are the statuses that the simulated clients know. */
export function callReport(cloud: SimulatedCloud, expected: readonly string[]): CallReport {
  return {
    calls: callFigures(cloud),
    refused_by_table: refusedByTable(cloud),
    unexpected_responses: unexpectedResponses(cloud, expected),
  };
}

/** What a simulation prints of its calls. */
export function callTables({ calls, refused_by_table, unexpected_responses }: CallReport): readonly FigureTable[] {
  return [
    {
      title: 'Calls',
      columns: ['operation', 'calls', 'p50 ms', 'p95 ms', 'p99 ms', '429', '503'],
      rows: calls.map((one) => [
        one.operation,
        one.calls,
        one.p50_ms,
        one.p95_ms,
        one.p99_ms,
        one.refused_429,
        one.refused_503,
      ]),
    },
    {
      title: 'Refused by the table',
      columns: ['items', 'calls'],
      rows: Object.entries(refused_by_table).slice(0, 12),
    },
    {
      title: 'Unexpected responses (none is right)',
      columns: ['operation and status', 'responses'],
      rows: Object.entries(unexpected_responses),
    },
  ];
}
