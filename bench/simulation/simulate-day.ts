import { drawMs, type Latency, type Random, seededRandom } from '../../local/cloud/dynamodb/physics/random.ts';
import { operations } from '../../shared/operations/registry.ts';
import type { FigureTable } from '../report/figures.ts';
import { coldStart } from './lambda.ts';

export interface DayOptions {
  /** The requests of a day. */
  readonly count: number;
  readonly seed: number;
}

interface DayFigures {
  readonly cold_share: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
}

/** The document of `npm run simulate -- day --json`. */
export interface DayReport extends DayOptions {
  readonly scenario: 'day';
  readonly functions: number;
  readonly without: DayFigures;
  /** With the calls of warm-functions, and how many these are. */
  readonly warmed: DayFigures;
  readonly warm_calls: number;
  readonly timeline: Readonly<Record<string, readonly number[]>>;
}

/** A request of an instance that has started: API Gateway, the table and the function (bench/results/latest.json). */
const warmRequest: Latency = { medianMs: 48, p99Ms: 140 };
/** AWS does not say when it ends an idle instance. Others have measured 5 to 60 minutes. */
const idleMs = 6 * 60_000;
const warmEveryMs = 5 * 60_000;
const dayMs = 24 * 3_600_000;
/** What fans do in a shop: two of three requests. The others are of staff, integrations and members, for any operation. */
const frequent = [
  ...['list-events', 'retrieve-event', 'list-event-prices', 'open-basket', 'add-basket-item', 'retrieve-basket'],
  ...['prepare-payment', 'check-out-basket', 'retrieve-organisation', 'list-phases'],
];
const frequentShare = 2 / 3;

interface Call {
  readonly atMs: number;
  readonly id: string;
  readonly isWarming: boolean;
}

/** The day of a small club, in which most functions are rarely called: how many requests start an instance, with and without warm calls. */
export function simulateDay(options: DayOptions): DayReport {
  const random = seededRandom(options.seed);
  const ids = operations.map(({ id }) => id);
  const requests = Array.from({ length: options.count }, () => request(random, ids));
  const rounds = Array.from({ length: dayMs / warmEveryMs }, (_, index) => index * warmEveryMs);
  const warming = rounds.flatMap((atMs) => ids.map((id) => ({ atMs, id, isWarming: true })));
  return {
    scenario: 'day',
    ...options,
    functions: ids.length,
    without: figuresOf(requests, options.seed),
    warmed: figuresOf([...warming, ...requests], options.seed),
    warm_calls: warming.length,
    timeline: {},
  };
}

/** Most requests come in the afternoon and the evening, and few at night. */
function request(random: Random, ids: readonly string[]): Call {
  const hour = random() < 0.1 ? 24 * random() : 12 + 5 * (random() + random() + random() - 0.5);
  const chosen = random() < frequentShare ? frequent : ids;
  const id = chosen[Math.floor(random() * chosen.length)] ?? 'list-events';
  return { atMs: (hour % 24) * 3_600_000, id, isWarming: false };
}

/** Lambda gives a request the instance that was used last, or starts one. */
function figuresOf(calls: readonly Call[], seed: number): DayFigures {
  const random = seededRandom(seed + 1);
  const instances = new Map<string, number[]>();
  const latencies: number[] = [];
  let cold = 0;
  for (const { atMs, id, isWarming } of [...calls].sort((one, other) => one.atMs - other.atMs)) {
    const freeFrom = (instances.get(id) ?? []).filter((usedUntilMs) => atMs - usedUntilMs < idleMs);
    const free = freeFrom.filter((usedUntilMs) => usedUntilMs <= atMs).sort((one, other) => other - one)[0];
    const startMs = free === undefined ? drawMs(coldStart, random) : 0;
    const latencyMs = startMs + (isWarming ? 2 : drawMs(warmRequest, random));
    const others = freeFrom.filter((usedUntilMs) => usedUntilMs !== free);
    instances.set(id, [...others, atMs + latencyMs]);
    if (isWarming) continue;
    latencies.push(latencyMs);
    if (free === undefined) cold += 1;
  }
  latencies.sort((one, other) => one - other);
  const at = (share: number) => Math.round(latencies[Math.floor(share * (latencies.length - 1))] ?? 0);
  const cold_share = Math.round((1000 * cold) / latencies.length) / 1000;
  return { cold_share, p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) };
}

export function dayTables({ count, functions, without, warmed, warm_calls }: DayReport): readonly FigureTable[] {
  const row = (name: string, of: (figures: DayFigures) => number): [string, number, number] => [
    name,
    of(without),
    of(warmed),
  ];
  return [
    {
      title: `A day with ${count} requests to ${functions} functions, and ${warm_calls} warm calls`,
      columns: ['', 'without', 'with warm calls'],
      rows: [
        row('share of requests that start an instance', ({ cold_share }) => cold_share),
        row('p50, ms', ({ p50_ms }) => p50_ms),
        row('p95, ms', ({ p95_ms }) => p95_ms),
        row('p99, ms', ({ p99_ms }) => p99_ms),
      ],
    },
  ];
}
