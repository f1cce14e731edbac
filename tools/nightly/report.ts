import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const Failure = v.object({
  test: v.string(),
  message: v.string(),
  /** The command that repeats it. */
  repeat: v.string(),
});
export type Failure = v.InferOutput<typeof Failure>;

const UnitResult = v.object({
  name: v.string(),
  /** `killed`: its process ended in the middle. `missing`: it has not run yet. */
  outcome: v.picklist(['passed', 'failed', 'skipped', 'killed', 'missing']),
  tests: v.number(),
  seconds: v.number(),
  failures: v.array(Failure),
  /** What was not tested, and why. */
  skipped: v.array(v.string()),
});
export type UnitResult = v.InferOutput<typeof UnitResult>;

const SuiteResult = v.object({
  name: v.string(),
  seconds: v.number(),
  /** Of the processes that ended by themselves; CPU time of a killed one is not known. */
  cpuSeconds: v.number(),
  units: v.array(UnitResult),
  /** How many units were not asked for in this run. */
  notSelected: v.number(),
});
export type SuiteResult = v.InferOutput<typeof SuiteResult>;

export const Report = v.object({
  commit: v.string(),
  /** Whether the working tree differs from the commit. Nothing passes "on this commit" then. */
  changed: v.boolean(),
  seed: v.number(),
  shard: v.string(),
  started: v.string(),
  node: v.string(),
  suites: v.array(SuiteResult),
});
export type Report = v.InferOutput<typeof Report>;

/** The unit that failed if no file of a process did, but the process. */
export const wholeProcess = 'the process';

export const missing = (name: string): UnitResult => ({
  name,
  outcome: 'missing',
  tests: 0,
  seconds: 0,
  failures: [],
  skipped: [],
});

export function readReport(file: string): Report {
  if (!existsSync(file)) throw new Error(`There is no report at ${file}.`);
  return v.parse(Report, JSON.parse(readFileSync(file, 'utf8')));
}

/** Written after each unit, so a run that is stopped can go on with `--since`. A reader never sees half a file. */
export function writeReport(folder: string, report: Report): void {
  mkdirSync(folder, { recursive: true });
  const texts = { 'report.json': `${JSON.stringify(report, null, 2)}\n`, 'report.md': markdownOf(report) };
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(folder, `${name}.new`), text);
    renameSync(join(folder, `${name}.new`), join(folder, name));
  }
}

export const isGood = ({ suites }: Report): boolean =>
  suites.every(({ units }) => units.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped'));

function markdownOf(report: Report): string {
  const { suites } = report;
  const units = suites.flatMap((suite) => suite.units.map((unit) => ({ suite: suite.name, ...unit })));
  const failures = units.flatMap((unit) =>
    unit.failures.map(
      ({ test, message, repeat }) =>
        `- **${unit.suite}** ${unit.name}: ${test}\n\n  \`\`\`\n${indented(message)}\n  \`\`\`\n\n  Repeat: \`${repeat}\``,
    ),
  );
  const skipped = units.flatMap((unit) => unit.skipped.map((why) => `- **${unit.suite}** ${unit.name}: ${why}`));
  const left = suites.flatMap(({ name, units: own, notSelected }) => [
    ...own.filter(({ outcome }) => outcome === 'missing').map((unit) => `- **${name}** ${unit.name}: not run yet`),
    ...(notSelected === 0 ? [] : [`- **${name}**: ${notSelected} not part of this run`]),
  ]);
  return [
    `# Nightly: ${isGood(report) ? 'passed' : 'FAILED'}`,
    `Commit ${report.commit}${report.changed ? ' with changes' : ''}, shard ${report.shard}, SEED=${report.seed}, Node ${report.node}, began ${report.started}.`,
    ['| Suite | Passed | Failed | Skipped | Missing | Tests | Duration | CPU |', '|---|---|---|---|---|---|---|---|']
      .concat(suites.filter(({ units: own }) => own.length > 0).map(rowOf))
      .join('\n'),
    ...section('Failures', failures),
    ...section('Skipped', skipped),
    ...section('Missing', left),
  ]
    .join('\n\n')
    .concat('\n');
}

function rowOf({ name, units, seconds, cpuSeconds }: SuiteResult): string {
  const count = (...outcomes: UnitResult['outcome'][]) =>
    units.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const tests = units.reduce((sum, unit) => sum + unit.tests, 0);
  const cells = [count('passed'), count('failed', 'killed'), count('skipped'), count('missing'), tests];
  return `| ${[name, ...cells, `${Math.round(seconds)} s`, `${Math.round(cpuSeconds)} s`].join(' | ')} |`;
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
