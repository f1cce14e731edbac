import { auditReceipts, type ReceiptsPosition } from '../../shared/data/audit/receipts.ts';
import { readBook } from '../../shared/data/receipts/book.ts';
import { sumOf } from '../../shared/domain/money.ts';
import { issueAllReceipts } from '../../shared/sales/receipts/issue-all-receipts.ts';
import type { FigureTable } from '../report/figures.ts';
import { givenBacklog } from './backlog-of-receipts.ts';
import { startSimulatedCloud } from './cloud.ts';
import { newInstance, runIn } from './instances.ts';
import { wholeMs } from './lambda.ts';
import { givenEventOnSale } from './on-sale-event.ts';
import { simulateProcess } from './simulated-process.ts';
import { refusedByTable, Timeline } from './statistics.ts';

export interface ReceiptsOptions {
  /** How many entries of the journal wait for a document. */
  readonly count: number;
  readonly seed: number;
}

/** The document of `npm run simulate -- receipts --json`. */
export interface ReceiptsReport extends ReceiptsOptions {
  readonly scenario: 'receipts';
  readonly documents: number;
  /** From the first run of the worker until the last document is written. */
  readonly issued_after_seconds: number;
  readonly table_calls: number;
  readonly longest_run_seconds: number;
  /** Runs of the worker that ended with an error; 0 is right. */
  readonly failed_runs: number;
  /** What the audit finds: numbers with a gap or given twice, entries without a document; 0 is right. */
  readonly findings: number;
  /** Entries that have no document at the end; 0 is right. */
  readonly left_over: number;
  readonly refused_by_table: Readonly<Record<string, number>>;
  readonly timeline: Readonly<Record<'documents', readonly number[]>>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const mostMinutes = 60;
const indexLagMs = 1_000;

/** An organisation whose worker did not run for an hour, and the runs of the deployed schedule until every entry has its document. */
export async function simulateReceipts(options: ReceiptsOptions, startMs: number): Promise<ReceiptsReport> {
  const { time, random } = simulateProcess(options.seed, startMs);
  const cloud = startSimulatedCloud({ time, random });
  const work = async (): Promise<ReceiptsReport> => {
    const sale = await givenEventOnSale(cloud.data, { prices: 1, tickets: 100 });
    const { orgId } = sale;
    await givenBacklog(cloud.data, sale, {
      entries: options.count - 1,
      fromMs: time.nowMs() - hourMs,
      untilMs: time.nowMs() - minuteMs,
    });
    // The index that lists the books lags: a run at the same moment would find none, and the next one begins a minute later.
    await time.sleep(indexLagMs);
    const fromMs = time.nowMs();
    const documents = new Timeline(fromMs);
    let [lastMs, failed, longestMs] = [fromMs, 0, 0];
    cloud.table.model.storage.onChange(({ key: { pk }, before, after }) => {
      if (!pk.startsWith('RCP#') || before !== undefined || after === undefined) return;
      lastMs = time.nowMs();
      documents.add(lastMs);
    });
    const callsBefore = cloud.table.physics.counts.calls;
    const own = cloud.openTable();
    const run = async (): Promise<void> => {
      const startedMs = time.nowMs();
      await runIn(newInstance(), () => issueAllReceipts({ table: own, clock: wholeMs(time) })).catch(() => {
        failed += 1;
      });
      longestMs = Math.max(longestMs, time.nowMs() - startedMs);
    };
    const runs: Promise<void>[] = [];
    for (let minute = 0; minute < mostMinutes && sumOf(documents.counts) < options.count; minute += 1) {
      runs.push(run());
      await time.sleep(minuteMs);
    }
    await Promise.all(runs);
    const table_calls = cloud.table.physics.counts.calls - callsBefore;
    await cloud.stop();
    const counts = (await readBook(cloud.data, orgId))?.counts ?? {};
    return {
      scenario: 'receipts',
      ...options,
      documents: sumOf(documents.counts),
      issued_after_seconds: Math.round((lastMs - fromMs) / 1000),
      table_calls,
      longest_run_seconds: Math.round(longestMs / 1000),
      failed_runs: failed,
      findings: await findings(cloud.data, orgId),
      left_over: options.count - sumOf(Object.values(counts)),
      refused_by_table: refusedByTable(cloud),
      timeline: { documents: documents.counts },
    };
  };
  return time.run(work());
}

async function findings(table: Parameters<typeof auditReceipts>[0], orgId: string): Promise<number> {
  let found = 0;
  for (let at: ReceiptsPosition | undefined = { after: '', counts: {} }; at !== undefined; ) {
    const audited = await auditReceipts(table, orgId, at);
    found += audited.findings.length;
    at = audited.next;
  }
  return found;
}

export function receiptsTables(report: ReceiptsReport): readonly FigureTable[] {
  const figures = [
    'count',
    'documents',
    'issued_after_seconds',
    'table_calls',
    'longest_run_seconds',
    'failed_runs',
    'findings',
    'left_over',
  ] as const;
  const refused = Object.entries(report.refused_by_table);
  return [
    { title: 'Receipts', columns: ['figure', 'value'], rows: figures.map((name) => [name, report[name]]) },
    { title: 'Refused by the table', columns: ['items', 'calls'], rows: refused },
  ];
}
