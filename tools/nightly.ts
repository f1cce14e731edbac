import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { readOptions, usage } from './nightly/options.ts';
import { isGood, readReport } from './nightly/report.ts';
import { runNightly } from './nightly/run.ts';
import { shardOf } from './nightly/shards.ts';
import { nightlySuites } from './nightly/suites.ts';

/** `npm run nightly`: runs every suite that is not in `npm test`, and writes a report. See CONTRIBUTING.md. */
const options = readOptions(process.argv.slice(2));
if (options === undefined) {
  console.error(usage);
  process.exit(2);
}
const { shard, only, folder } = options;
const output = (...[command, ...args]: [string, ...string[]]): string =>
  execFileSync(command, args, { encoding: 'utf8' });

const since = options.since.map((file) => readReport(resolve(file)));
const seed = options.seed ?? since[0]?.seed ?? randomInt(1, 1_000_000);

const Files = v.array(v.object({ file: v.string() }));
const listFiles = (config: string): string[] => {
  // Some configurations draw their files by the seed.
  process.env.SEED = String(seed);
  const listed = output('vitest', 'list', '--filesOnly', '--json', '--config', config);
  const files = v.parse(Files, JSON.parse(listed)).map(({ file }) => relative(process.cwd(), file));
  if (files.length === 0) throw new Error(`${config} finds no test files.`);
  return files;
};

const suites = nightlySuites(listFiles, seed);
const unknown = only.find((name) => !suites.some((suite) => suite.name === name));
if (unknown !== undefined) {
  console.error(`There is no suite ${unknown}. The suites are: ${suites.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const selections = shardOf(suites, shard).map(({ suite, units }) =>
  only.length === 0 || only.includes(suite.name) ? { suite, units } : { suite, units: [] },
);

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());
const report = await runNightly({
  selections,
  about: {
    commit: output('git', 'rev-parse', 'HEAD').trim(),
    // The benchmark writes its results there.
    changed: output('git', 'status', '--porcelain', '--', '.', ':!bench/results') !== '',
    seed,
    shard: `${shard.index}/${shard.count}`,
    started: new Date().toISOString(),
    node: process.version,
  },
  since,
  folder: resolve(folder),
  commandOf: ({ script }, args) => ['npm', 'run', script, '--', ...args],
  signal: interruption.signal,
  print: (line) => console.log(line),
});
console.log(
  `\nReport: ${join(folder, 'report.md')}. Go on with: npm run nightly -- --since ${join(folder, 'report.json')}`,
);
process.exit(isGood(report) ? 0 : 1);
