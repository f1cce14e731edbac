import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

/** The parser that knip has. Nothing else here reads YAML, so the project needs no package of its own for it. */
const ownRequire = createRequire(import.meta.url);
const { parse } = v.parse(v.object({ parse: v.function() }), createRequire(ownRequire.resolve('knip'))('yaml'));

const file = (path: string): string => readFileSync(new URL(`../../.github/${path}`, import.meta.url), 'utf8');

const Step = v.object({ uses: v.optional(v.string()), run: v.optional(v.string()) });
const Job = v.object({
  'runs-on': v.string(),
  'timeout-minutes': v.pipe(v.number(), v.maxValue(360)),
  strategy: v.object({ 'fail-fast': v.literal(false), matrix: v.record(v.string(), v.array(v.number())) }),
  steps: v.array(Step),
});
const Workflow = v.object({
  on: v.record(v.string(), v.unknown()),
  permissions: v.strictObject({ contents: v.literal('read') }),
  jobs: v.record(v.string(), Job),
});
const jobsOf = (path: string) => Object.values(v.parse(Workflow, parse(file(path))).jobs);

it.each(['workflows/ci.yml', 'workflows/nightly.yml'])(
  '%s names scripts that exist, and versions of actions',
  (path) => {
    const steps = jobsOf(path).flatMap((job) => job.steps);
    const scripts = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name),
    );
    expect(scripts).not.toEqual([]);
    expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(scripts));
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  },
);

it('CI runs npm test for pushes and pull requests, on the versions of Node that may start it', () => {
  const { on, jobs } = v.parse(Workflow, parse(file('workflows/ci.yml')));
  expect(Object.keys(on)).toEqual(['push', 'pull_request']);
  expect(jobs.test?.strategy.matrix).toEqual({ node: [22, 24] });
  expect(jobs.test?.steps.at(-1)).toEqual({ run: 'npm test' });
});

it('the shards of the nightly workflow are all shards, and its report is kept', () => {
  const [job] = jobsOf('workflows/nightly.yml');
  const shards = job?.strategy.matrix.shard ?? [];
  expect(shards).toEqual(shards.map((_, index) => index + 1));
  const runs = job?.steps.map(({ run = '' }) => run).join('\n');
  expect(runs).toContain(`npm run nightly -- --shard \${{ matrix.shard }}/${shards.length} `);
  expect(runs).toContain('report.md >> "$GITHUB_STEP_SUMMARY"');
  expect(job?.steps.map(({ uses = '' }) => uses).join('\n')).toContain('actions/upload-artifact@');
});

it('Dependabot groups the updates of packages and of actions', () => {
  const Settings = v.object({
    version: v.literal(2),
    updates: v.array(
      v.object({
        'package-ecosystem': v.string(),
        directory: v.literal('/'),
        schedule: v.object({ interval: v.literal('weekly') }),
        groups: v.record(v.string(), v.looseObject({})),
      }),
    ),
  });
  const { updates } = v.parse(Settings, parse(file('dependabot.yml')));
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions']);
});

it('the template of a pull request asks five things', () => {
  expect(file('pull_request_template.md').trim().split('\n')).toHaveLength(5);
});
