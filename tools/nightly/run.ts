import { mkdirSync } from 'node:fs';
import { failureOf, outcomeOf, partsSkipped, skippedBecause } from './judge.ts';
import type { Nightly } from './progress.ts';
import { Progress } from './progress.ts';
import type { Report } from './report.ts';
import { runFiles } from './run-files.ts';
import { start } from './start.ts';
import type { Suite } from './suites.ts';

/** Runs one unit after the other and goes on after failures. The report is complete after each one. */
export async function runNightly(nightly: Nightly): Promise<Report> {
  mkdirSync(nightly.folder, { recursive: true });
  const progress = new Progress(nightly);
  for (const { suite, units } of nightly.selections) {
    const left = units.filter((unit) => progress.isMissing(suite, unit));
    if ('files' in suite.units) await runFiles(progress, suite, left);
    else for (const unit of left) await runOne(progress, { suite, unit, args: suite.units.commands[unit] ?? [] });
  }
  return progress.report();
}

interface OneCommand {
  readonly suite: Suite;
  readonly unit: string;
  readonly args: readonly string[];
}

async function runOne(progress: Progress, { suite, unit, args }: OneCommand): Promise<void> {
  const { nightly } = progress;
  if (nightly.signal.aborted) return;
  const end = await start(nightly, suite, { args, unit });
  progress.spent(suite, end);
  if (nightly.signal.aborted) return;
  const reason = skippedBecause(end);
  const outcome = outcomeOf(end);
  progress.record(suite, {
    name: unit,
    outcome: reason === undefined ? outcome : 'skipped',
    tests: reason === undefined ? 1 : 0,
    seconds: end.seconds,
    failures: outcome === 'passed' ? [] : [failureOf(nightly, suite, args, end)],
    skipped: reason === undefined ? partsSkipped(end) : [reason],
  });
}
