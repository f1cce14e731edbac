import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readOptions } from '../../tools/nightly/options.ts';
import type { Nightly } from '../../tools/nightly/progress.ts';
import { isGood, type Report, readReport } from '../../tools/nightly/report.ts';
import { runNightly } from '../../tools/nightly/run.ts';
import { shardOf } from '../../tools/nightly/shards.ts';
import { nightlySuites, notNightly, type Suite, unitNames } from '../../tools/nightly/suites.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-nightly-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Reports each file as vitest would. The one named `crash` kills its process, `red` fails, `empty` skips its tests, and after `rejects`
 * its process fails.
 */
const files = `
for file in "$@"; do
  case "$file" in --*) continue ;; esac
  echo "{\\"file\\":\\"$file\\"}" >>"$NIGHTLY_RESULTS"
  failures='' tests=2
  case "$file" in
    crash) kill -9 $$ ;;
    slow) sleep 600 ;;
    empty) tests=0 ;;
    rejects) status=1 ;;
    red) failures='{"test":"sale > sells 2 (or 3)","message":"expected 2"}' ;;
  esac
  echo "{\\"file\\":\\"$file\\",\\"result\\":{\\"tests\\":$tests,\\"seconds\\":1,\\"failures\\":[$failures],\\"skipped\\":[]}}" >>"$NIGHTLY_RESULTS"
done
exit $status`;

const scripts: Readonly<Record<string, string>> = {
  files,
  passes: 'echo "skipped  python: pip not installed"',
  fails: 'echo broken; exit 3',
  skips: 'echo "Skipped: Go is not installed."',
  dies: 'kill -9 $$',
};

const command = (script: string, minutes = 1): Suite => ({
  name: script,
  script,
  minutes,
  units: { commands: { all: [] } },
});
const ofFiles = (...names: string[]): Suite => ({
  name: 'files',
  script: 'files',
  minutes: 1,
  units: { files: names },
});

function nightly(suites: readonly Suite[], more: Partial<Nightly> = {}): Nightly {
  return {
    selections: suites.map((suite) => ({ suite, units: unitNames(suite) })),
    about: { commit: 'abc', changed: false, seed: 7, shard: '1/1', started: '', node: '' },
    since: [],
    folder: mkdtempSync(join(folder, 'run-')),
    commandOf: ({ script }, args) => ['sh', '-c', scripts[script] ?? '', script, ...args],
    signal: new AbortController().signal,
    print: () => {},
    ...more,
  };
}

const outcomes = ({ suites }: Report) =>
  Object.fromEntries(suites.flatMap(({ name, units }) => units.map((unit) => [`${name} ${unit.name}`, unit.outcome])));

it('the nightly run goes on after a failure, and reports every suite', async () => {
  const run = nightly([command('dies'), command('fails'), command('skips'), command('passes')]);
  const report = await runNightly(run);
  expect(outcomes(report)).toEqual({
    'dies all': 'killed',
    'fails all': 'failed',
    'skips all': 'skipped',
    'passes all': 'passed',
  });
  expect(isGood(report)).toBe(false);
  expect(readReport(join(run.folder, 'report.json'))).toEqual(report);
  const text = readFileSync(join(run.folder, 'report.md'), 'utf8');
  for (const part of ['Commit abc', 'SEED=7', 'It ended with status 3.', 'broken', 'Go is not installed.', 'pip not'])
    expect(text).toContain(part);
});

it('the nightly run is good when all passed or was skipped with its reason', async () => {
  expect(isGood(await runNightly(nightly([command('skips'), command('passes'), ofFiles('a', 'b')])))).toBe(true);
});

it('a test file that kills its process costs the nightly run no other file', async () => {
  const report = await runNightly(nightly([ofFiles('a', 'crash', 'b')]));
  expect(outcomes(report)).toEqual({ 'files a': 'passed', 'files crash': 'killed', 'files b': 'passed' });
});

it('a test file that runs no test is skipped, not passed', async () => {
  expect(outcomes(await runNightly(nightly([ofFiles('empty')])))).toEqual({ 'files empty': 'skipped' });
});

it('an error that no test caught fails the nightly run, and a run that goes on from its report', async () => {
  const run = nightly([ofFiles('a', 'rejects')]);
  const failed = { 'files a': 'passed', 'files rejects': 'passed', 'files the process': 'failed' };
  const report = await runNightly(run);
  expect(outcomes(report)).toEqual(failed);
  expect(outcomes(await runNightly({ ...run, since: [report] }))).toEqual(failed);
});

it('the nightly run says how to repeat a failed test, with its seed', async () => {
  const report = await runNightly(
    nightly([ofFiles('red')], { commandOf: (_, args) => ['sh', '-c', files, 'npm', ...args] }),
  );
  const [failure] = report.suites[0]?.units[0]?.failures ?? [];
  expect(failure).toMatchObject({ test: 'sale > sells 2 (or 3)', message: 'expected 2' });
  expect(failure?.repeat).toMatch(/^SEED=7 .* red -t 'sale sells 2 .or 3.'$/s);
});

it('a suite that takes far too long is killed', async () => {
  const report = await runNightly(nightly([{ ...ofFiles('a', 'slow'), minutes: 0.01 }]));
  expect(outcomes(report)).toEqual({ 'files a': 'passed', 'files slow': 'killed' });
});

it('a nightly run that is stopped says what is missing, and goes on from its report', async () => {
  const stop = new AbortController();
  const stopped = nightly([ofFiles('a', 'slow', 'b'), command('passes')], {
    signal: stop.signal,
    print: () => stop.abort(),
  });
  const report = await runNightly(stopped);
  expect(outcomes(report)).toEqual({
    'files a': 'passed',
    'files slow': 'missing',
    'files b': 'missing',
    'passes all': 'missing',
  });
  expect(isGood(report)).toBe(false);
  expect(readFileSync(join(stopped.folder, 'report.md'), 'utf8')).toContain('**files** slow: not run yet');

  const began: string[] = [];
  const print = (line: string) => began.push(line.replace(/ \d+ s$/, ''));
  const commandOf: Nightly['commandOf'] = ({ script }, args) => [
    ...['sh', '-c', (scripts[script] ?? '').replaceAll('sleep 600', 'true'), script],
    ...args,
  ];
  const resumed = await runNightly({
    ...stopped,
    since: [report],
    signal: new AbortController().signal,
    print,
    commandOf,
  });
  expect(isGood(resumed)).toBe(true);
  expect(began).toEqual(['passed  files slow', 'passed  files b', 'passed  passes all']);
});

it('what passed on another commit, or with changes that were not committed, is run again', async () => {
  const report = await runNightly(nightly([command('passes')]));
  for (const other of [
    { ...report, commit: 'abd' },
    { ...report, changed: true },
  ]) {
    const printed: string[] = [];
    await runNightly(nightly([command('passes')], { since: [other], print: (line) => printed.push(line) }));
    expect(printed).toHaveLength(1);
  }
});

it('the shards of a nightly run have every test file and command exactly once, in about equal parts', () => {
  const listed = nightlySuites((config) => Array.from({ length: 31 }, (_, index) => `test/${config}-${index}`), 1);
  const all = listed.flatMap((suite) => unitNames(suite).map((unit) => `${suite.name} ${unit}`));
  const shards = [1, 2, 3, 4].map((index) => shardOf(listed, { index, count: 4 }));
  const parts = shards.flatMap((shard) =>
    shard.flatMap(({ suite, units }) => units.map((unit) => `${suite.name} ${unit}`)),
  );
  expect(parts.toSorted()).toEqual(all.toSorted());
  const minutes = shards.map((shard) =>
    shard.reduce((sum, { suite, units }) => sum + (suite.minutes * units.length) / unitNames(suite).length, 0),
  );
  expect(Math.max(...minutes) - Math.min(...minutes)).toBeLessThan(10);
});

it('the nightly run has every suite that has a script of its own', () => {
  const scripted = new Set(nightlySuites(() => [], 1).map(({ script }) => script));
  const own = Object.keys(packageJson.scripts).filter((name) => name.startsWith('test:'));
  expect(own.filter((name) => !scripted.has(name) && !(name in notNightly))).toEqual([]);
  expect([...scripted, ...Object.keys(notNightly)].filter((name) => !(name in packageJson.scripts))).toEqual([]);
});

it.each([['--shard', '5/4'], ['--shard', '0/4'], ['--shard', 'x'], ['--seed', '0'], ['--other']])(
  'the nightly run refuses %s %s',
  (...args) => {
    expect(readOptions(args)).toBeUndefined();
  },
);

it('the nightly run reads its options', () => {
  expect(readOptions(['--shard', '2/4', '--only', 'faults', '--since', 'a.json', '--since', 'b.json'])).toMatchObject({
    shard: { index: 2, count: 4 },
    only: ['faults'],
    since: ['a.json', 'b.json'],
  });
});
