import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rollback } from '../../tools/releases/rollback.ts';
import { LambdaDouble } from '../support/lambda-double.ts';

let aws: LambdaDouble;
beforeEach(async () => {
  aws = await LambdaDouble.start();
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

const names = Array.from({ length: 5 }, (_, index) => `Gateline-prod-operation-${index}`);
const everywhere = (release: string) => Object.fromEntries(names.map((name) => [name, release]));

async function run(...argv: readonly string[]) {
  const printed: string[] = [];
  const errors: string[] = [];
  const output = { print: (line: string) => printed.push(line), printError: (line: string) => errors.push(line) };
  const exitCode = await rollback(['--stage', 'prod', ...argv], output);
  return { exitCode, printed: printed.join('\n'), errors: errors.join('\n') };
}

describe('npm run rollback', () => {
  it('rollback points the aliases of all nested stacks at the previous release, and repeating it changes nothing', async () => {
    for (const release of ['r1', 'r2', 'r3']) aws.deploy(release, names);
    expect(await run()).toMatchObject({ exitCode: 0, printed: expect.stringContaining('move to the release r2') });
    expect(aws.live()).toEqual(everywhere('r2'));
    expect(await run()).toMatchObject({ exitCode: 0, printed: expect.stringContaining('Nothing to do') });
    expect(aws.live()).toEqual(everywhere('r2'));
  });

  it('rollback reads a few versions of each function, however many were released', async () => {
    for (let release = 1; release <= 200; release += 1) aws.deploy(`r${release}`, names);
    await run();
    expect(aws.live()).toEqual(everywhere('r199'));
    expect(aws.calls).not.toContain('ListVersionsByFunction');
    expect(aws.calls.filter((call) => call === 'GetFunction')).toHaveLength(5 * names.length);
    expect(aws.calls.filter((call) => call === 'UpdateAlias')).toHaveLength(names.length);
  });

  it('rollback that failed for one function says so, and continues when it is repeated', async () => {
    for (const release of ['r1', 'r2', 'r3']) aws.deploy(release, names);
    aws.broken = names[3];
    expect(await run()).toMatchObject({ exitCode: 1, errors: expect.stringContaining('Run the command again') });
    expect(aws.live()).toEqual({ ...everywhere('r2'), [String(names[3])]: 'r3' });
    aws.broken = undefined;
    expect((await run()).exitCode).toBe(0);
    expect(aws.live()).toEqual(everywhere('r2'));
  });

  it('rollback --to chooses an older release or returns to the deployed one', async () => {
    for (const release of ['r1', 'r2', 'r3']) aws.deploy(release, names);
    await run('--to', 'r1');
    expect(aws.live()).toEqual(everywhere('r1'));
    await run('--to', 'r3');
    expect(aws.live()).toEqual(everywhere('r3'));
    expect(await run('--to', 'r9')).toMatchObject({ exitCode: 1, errors: expect.stringContaining('r9') });
  });

  it('the next deployment moves all aliases again, and its rollback does not return to the withdrawn release', async () => {
    for (const release of ['r1', 'r2', 'r3']) aws.deploy(release, names);
    await run();
    aws.deploy('r4', names);
    expect(aws.live()).toEqual(everywhere('r4'));
    await run();
    expect(aws.live()).toEqual(everywhere('r2'));
    await run('--to', 'r3');
    aws.deploy('r5', names);
    await run();
    expect(aws.live()).toEqual(everywhere('r3'));
  });

  it('rollback ignores the versions of a deployment that failed, and leaves a function that is new in the release', async () => {
    aws.deploy('r1', names);
    aws.deploy('r2', names.slice(0, 2));
    // CloudFormation has restored the code and the aliases, and deleted the versions.
    for (const name of names.slice(0, 2)) {
      const restored = aws.functions.get(name);
      restored?.versions.delete(2);
      if (restored) Object.assign(restored, { latest: 'r1', live: 1 });
    }
    aws.deploy('r3', [...names, 'Gateline-prod-new']);
    const { exitCode, printed } = await run();
    expect([exitCode, printed]).toEqual([0, expect.stringContaining('Gateline-prod-new has no version of r1')]);
    expect(aws.live()).toEqual({ ...everywhere('r1'), 'Gateline-prod-new': 'r3' });
  });

  it('rollback changes nothing while a deployment is in progress, with --dry-run, or without a previous release', async () => {
    aws.deploy('r1', names);
    expect(await run()).toMatchObject({ exitCode: 1, errors: expect.stringContaining('No function has a version') });
    aws.deploy('r2', names);
    expect(await run('--dry-run')).toMatchObject({ exitCode: 0, printed: expect.stringContaining('release r1') });
    aws.stackStatus = 'UPDATE_IN_PROGRESS';
    expect(await run()).toMatchObject({ exitCode: 1, errors: expect.stringContaining('cancel-update-stack') });
    expect(aws.live()).toEqual(everywhere('r2'));
    expect(await rollback([], { print: () => {}, printError: () => {} })).toBe(2);
  });
});
