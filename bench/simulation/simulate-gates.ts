import { countScans, readAttended } from '../../shared/data/counters/scans.ts';
import type { FigureTable } from '../report/figures.ts';
import { startSimulatedCloud } from './cloud.ts';
import { runGates } from './gates.ts';
import { givenStadium } from './match-day.ts';
import { simulateProcess } from './simulated-process.ts';
import { type CallFigures, type CallReport, callReport, callTables } from './statistics.ts';

export interface GatesOptions {
  readonly people: number;
  readonly seed: number;
}

/** The document of `npm run simulate -- gates --json`. */
export interface GatesReport extends GatesOptions, CallReport {
  readonly scenario: 'gates';
  readonly gates: number;
  readonly scans: number;
  readonly admitted: number;
  readonly admitted_twice: number;
  /** People who were at a gate of their stand and were not admitted. */
  readonly not_admitted: number;
  /** Reports that were refused until the gate gave up. */
  readonly undelivered: number;
  /** The difference between the counters and the scans in the table; 0 is right. */
  readonly counters_differ_by: number;
  readonly scans_per_second: number;
  readonly conflicts: number;
  readonly throttled: number;
  readonly retries: number;
  readonly refused_429: number;
  readonly refused_503: number;
  readonly results: Readonly<Record<string, number>>;
  readonly timeline: Readonly<Record<'scans', readonly number[]>>;
}

const gates = 60;

/** Simulates the gates of a full stadium. The process cannot be used for anything else afterwards. */
export async function simulateGates(options: GatesOptions, startMs: number): Promise<GatesReport> {
  const { time, random } = simulateProcess(options.seed, startMs);
  const cloud = startSimulatedCloud({ time, random });
  const work = async (): Promise<GatesReport> => {
    const startUnix = Math.floor(startMs / 1000) + 90 * 60;
    const day = await givenStadium(cloud.data, { people: options.people, gates, startUnix });
    const { conflicts, throttled } = cloud.table.physics.counts;
    const outcome = await runGates(cloud, day);
    await cloud.stop();
    const { orgId, eventId } = day;
    const stored = countRows(cloud.table.model, `SCN#${orgId}`);
    const attended = [...(await readAttended(cloud.data, orgId, eventId)).values()].reduce((sum, one) => sum + one, 0);
    const counted = await countScans(cloud.data, orgId, eventId);
    const report = callReport(cloud, ['201', '429', '503']);
    const sum = (of: (one: CallFigures) => number): number => report.calls.reduce((total, one) => total + of(one), 0);
    const { counts } = cloud.table.physics;
    return {
      scenario: 'gates',
      ...options,
      gates,
      scans: stored,
      admitted: outcome.admitted.size,
      admitted_twice: [...outcome.admitted.values()].filter((times) => times > 1).length,
      not_admitted: day.tickets.filter(({ barcode }) => !outcome.admitted.has(barcode)).length,
      undelivered: outcome.undelivered,
      counters_differ_by: Math.abs(counted - stored) + Math.abs(attended - outcome.admitted.size),
      scans_per_second: outcome.scans.peak(10),
      conflicts: counts.conflicts - conflicts,
      throttled: counts.throttled - throttled,
      retries: cloud.retries.retries,
      refused_429: sum(({ refused_429 }) => refused_429),
      refused_503: sum(({ refused_503 }) => refused_503),
      results: Object.fromEntries(outcome.results),
      ...report,
      timeline: { scans: outcome.scans.counts },
    };
  };
  return time.run(work());
}

function countRows(
  { storage }: { readonly storage: { keys(): Iterable<{ readonly pk: string }> } },
  beginning: string,
): number {
  let count = 0;
  for (const { pk } of storage.keys()) if (pk.startsWith(beginning)) count += 1;
  return count;
}

export function gatesTables(report: GatesReport): readonly FigureTable[] {
  const figures = [
    'people',
    'gates',
    'scans',
    'admitted',
    'admitted_twice',
    'not_admitted',
    'undelivered',
    'counters_differ_by',
    'scans_per_second',
    'conflicts',
    'throttled',
    'retries',
    'refused_429',
    'refused_503',
  ] as const;
  return [
    { title: 'Gates', columns: ['figure', 'value'], rows: figures.map((name) => [name, report[name]]) },
    { title: 'Results', columns: ['result', 'scans'], rows: Object.entries(report.results) },
    ...callTables(report),
  ];
}
