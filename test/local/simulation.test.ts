import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runSimulation } from '../../bench/simulation/command.ts';
import { longTest } from '../support/thorough.ts';

const run = promisify(execFile);

/** The document of a simulation, which replaces the clock of its process. */
async function simulate(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'bin/simulate.ts', ...args, '--json']);
  return JSON.parse(stdout);
}

longTest('an on-sale sells every ticket once, and a seed repeats it exactly', async () => {
  const args = ['on-sale', '--buyers', '25', '--prices', '2', '--pool', '--minutes', '1', '--seed', '3'];
  const [report, repeated] = await Promise.all([simulate(...args), simulate(...args)]);
  expect(repeated).toEqual(report);
  expect(report).toMatchObject({
    buyers: 25,
    oversold: 0,
    lost: 0,
    duplicates: 0,
    unsold_while_refused: 0,
    refused_429: 0,
  });
  expect(report.unexpected_responses).toEqual({});
  expect(Number(report.orders)).toBeGreaterThan(8);
  expect(Object.keys(report)).toEqual(expect.arrayContaining(['conflicts', 'retries', 'refused_503']));
});

longTest('an on-sale with phases gets no response that the service does not promise', async () => {
  const report = await simulate('on-sale', '--phases', '--buyers', '20', '--prices', '1', '--minutes', '1');
  expect(report).toMatchObject({ unexpected_responses: {}, oversold: 0, lost: 0, duplicates: 0 });
  expect(Number(report.orders)).toBeGreaterThan(5);
});

longTest('an on-sale of numbered seats sells every seat once', async () => {
  const report = await simulate('on-sale', '--seated', '--buyers', '40', '--prices', '2', '--minutes', '1');
  expect(report).toMatchObject({ seated: true, oversold: 0, lost: 0, duplicates: 0, unsold_while_refused: 0 });
  expect(report).toMatchObject({ refused_429: 0, unexpected_responses: {} });
  expect(Number(report.attempts_per_hold)).toBeGreaterThanOrEqual(1);
  expect(Number(report.tickets)).toBeGreaterThan(20);
});

it('the gates of a match admit every ticket once, and the counters equal the scans', async () => {
  const report = await simulate('gates', '--people', '60');
  expect(report).toMatchObject({ people: 60, admitted: 60, admitted_twice: 0, undelivered: 0, counters_differ_by: 0 });
  expect(report.unexpected_responses).toEqual({});
  expect(Number(report.scans)).toBeGreaterThanOrEqual(60);
});

longTest('of buyers for a code with fewer uses, as many as it has use it, and unpaid uses come back', async () => {
  const report = await simulate('code-uses', '--people', '50');
  expect(report).toMatchObject({ limit: 10, used: 10, used_up: 40, wrong: 0, not_returned: 0, findings: 0 });
  expect(report.unexpected_responses).toEqual({});
});

longTest(
  'entries that wait for their documents have them after the next runs of the worker, with every number once',
  async () => {
    const report = await simulate('receipts', '--count', '150');
    expect(report).toMatchObject({ documents: 150, findings: 0, left_over: 0, failed_runs: 0 });
  },
);

longTest(
  'instalments of one day are charged once each while the provider times out, and none is forgotten',
  async () => {
    const report = await simulate('instalments', '--count', '600');
    expect(report).toMatchObject({ charged_twice: 0, charged_early: 0, forgotten: 0, announced_wrongly: 0 });
    expect(report).toMatchObject({ failed_runs: 0, stripe_refused_429: 0 });
    expect(Number(report.paid) + Number(report.declined)).toBe(600);
    // A charge that was paid without an answer is one that a careless worker would repeat.
    expect(Number(report.unanswered_charges)).toBeGreaterThan(5);
  },
);

it('an unknown scenario and a wrong number are refused with the usage', async () => {
  const errors: string[] = [];
  const output = { log: () => {}, error: (text: string) => void errors.push(text), writePage: () => '' };
  const options = {
    buyers: '1',
    prices: '1',
    minutes: '1',
    people: '1',
    count: '1',
    concurrency: '1000',
    'write-units': '4000',
    seed: '1',
    json: true,
    pool: false,
    seated: false,
    phases: false,
    unprepared: false,
  };
  expect(await runSimulation('concert', options, output)).toBe(2);
  expect(await runSimulation('gates', { ...options, people: '0' }, output)).toBe(2);
  expect(errors).toEqual([expect.stringContaining('on-sale'), expect.stringContaining('--people')]);
});
