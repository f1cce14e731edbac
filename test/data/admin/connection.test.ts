import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addressOf } from '../../../admin/connection.ts';
import { writeLocalConnection } from '../../../local/run/connection-file.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { type Answer, adminTool, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { type OperatorAws, startOperatorAws } from '../../support/operator-aws.ts';
import { createTestTable } from '../../support/table.ts';
import { longTest } from '../../support/thorough.ts';

let table: Table;
let local: LocalRun;

beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  await givenOrganisation(table, 'org_club');
});

afterAll(() => local.remove());
afterEach(() => vi.unstubAllEnvs());

describe('admin --local', () => {
  const notRunning: Answer = { exitCode: 1, stdout: '', stderr: 'Gateline is not running. Start it first: npm start' };
  const through = (file: string) =>
    adminTool({ localFile: file, nowMs: systemClock.nowMs })('key', 'list', 'org_club', '--local');

  it('reads a connection file that only its owner can read', () => {
    expect(statSync(local.file).mode & 0o777).toBe(0o600);
    writeFileSync(local.file, '', { mode: 0o644 });
    writeLocalConnection(local.file, local.connection);
    expect(statSync(local.file).mode & 0o777).toBe(0o600);
  });

  it('reports that the local run is not running', async () => {
    expect(await through(join(local.folder, 'none.json'))).toEqual(notRunning);
    const stale = join(local.folder, 'stale.json');
    writeLocalConnection(stale, { ...local.connection, endpoint: 'http://127.0.0.1:1' });
    expect(await through(stale)).toEqual(notRunning);
    const broken = join(local.folder, 'broken.json');
    writeFileSync(broken, '{"region":');
    expect(await through(broken)).toEqual(notRunning);
  });

  it('reports a table that does not exist', async () => {
    const other = join(local.folder, 'other.json');
    writeLocalConnection(other, { ...local.connection, table: 'gone' });
    expect(await through(other)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The table does not exist in this account and region.',
    });
  });
});

describe('admin on AWS', () => {
  let aws: OperatorAws;

  beforeAll(async () => {
    aws = await startOperatorAws();
    aws.stacks = { 'Gateline-prod-state': { TableName: table.name }, 'Gateline-dev-state': { TableName: 'gone' } };
  });

  afterAll(() => aws.stop());

  function admin(environment: NodeJS.ProcessEnv = {}) {
    aws.stubEnvironment();
    return adminTool({ environment, localFile: local.file, nowMs: systemClock.nowMs });
  }
  const club = { exitCode: 0, stdout: expect.stringMatching(/^org_id +org_club\n/), stderr: '' };
  const noTable = { exitCode: 1, stdout: '', stderr: 'The table does not exist in this account and region.' };

  it('finds the table of --stage through its stack, dev by default', async () => {
    expect(await admin()('org', 'show', 'org_club', '--stage', 'prod')).toEqual(club);
    expect(await admin()('org', 'show', 'org_club')).toEqual(noTable);
    aws.stacks = {};
    const { exitCode, stderr } = await admin()('org', 'show', 'org_club', '--stage', 'prod');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^There is no stack Gateline-prod-state in this account and region\..*--table\.$/);
  });

  it('says of a stage without an API what to deploy, and nothing of a table', async () => {
    aws.stubEnvironment();
    aws.stacks = {};
    await expect(addressOf('prod')).rejects.toThrow(
      /^There is no stack Gateline-prod-service in this account and region\. Deploy it \(npm run deploy -- --stage prod\)\.$/,
    );
  });

  it('does not ask the stack with --table or GATELINE_TABLE, and options override the environment', async () => {
    aws.stacks = {};
    expect(await admin()('org', 'show', 'org_club', '--table', table.name)).toEqual(club);
    expect(await admin({ GATELINE_TABLE: table.name })('org', 'show', 'org_club')).toEqual(club);
    expect(await admin({ GATELINE_TABLE: table.name })('org', 'show', 'org_club', '--table', 'gone')).toEqual(noTable);
    aws.stacks = { 'Gateline-dev-state': { TableName: 'gone' } };
    expect(await admin({ GATELINE_TABLE: table.name })('org', 'show', 'org_club', '--stage', 'dev')).toEqual(noTable);
  });
});

describe('the admin process', () => {
  const program = resolve('bin/admin.ts');
  async function run(...words: readonly string[]) {
    const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), program, ...words], {
      cwd: local.folder,
    });
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { status, stdout, stderr };
  }

  it('prints one JSON document on stdout and nothing on stderr', async () => {
    const { status, stdout, stderr } = await run('org', 'show', 'org_club', '--local', '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ org_id: 'org_club' });
  });

  longTest('ends without an error when the reader of its output has gone, as with | head', async () => {
    const words = ['--import', import.meta.resolve('tsx'), program, 'org', 'show', 'org_club', '--local'];
    const child = spawn(process.execPath, words, { cwd: local.folder });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [exitCode] = await once(child, 'close');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('exits with 1 for a refusal and 2 for a wrong command line', async () => {
    const refused = await run('org', 'show', 'org_nobody', '--local', '--json');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'organisation_missing' } });
    const misunderstood = await run('org', 'shew');
    expect(misunderstood).toMatchObject({ status: 2, stdout: '' });
    expect(misunderstood.stderr).toContain('Commands: create, show, update, rotate-links, receipts.');
  });
});
