import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeServer, listen } from '../../../local/cloud/http/listen.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { adminTool, givenAdmin } from '../../support/admin.ts';

const fresh = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 };

/** The answers of DynamoDB to the calls. DynamoDB Local ignores warm throughput. */
const aws = {
  limits: { TableMaxReadCapacityUnits: 40_000, TableMaxWriteCapacityUnits: 40_000 },
  table: { TableStatus: 'ACTIVE', WarmThroughput: fresh, GlobalSecondaryIndexes: [] as object[] },
  updates: [] as unknown[],
};
const server = createServer(async (request, response) => {
  const body: unknown = JSON.parse(await text(request));
  if (String(request.headers['x-amz-target']).endsWith('UpdateTable')) aws.updates.push(body);
  const answer = { Table: aws.table, ...aws.limits };
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
});
let port = 0;

beforeAll(async () => {
  port = await listen(server, 0);
});
afterAll(() => closeServer(server));
beforeEach(() => {
  aws.updates = [];
  aws.table = {
    TableStatus: 'ACTIVE',
    WarmThroughput: fresh,
    GlobalSecondaryIndexes: [
      { IndexName: 'by1', IndexStatus: 'ACTIVE', WarmThroughput: fresh },
      {
        IndexName: 'by2',
        IndexStatus: 'ACTIVE',
        WarmThroughput: { ReadUnitsPerSecond: 30_000, WriteUnitsPerSecond: 20_000 },
      },
    ],
  };
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterEach(() => vi.unstubAllEnvs());

const local = await givenAdmin(systemClock.nowMs);
const admin = adminTool({ localFile: '', nowMs: systemClock.nowMs });
const warm = (...words: string[]) => admin('table', 'warm', ...words, '--table', 'tickets');

describe('admin table warm', () => {
  it('table warm raises the table and each index in one call, and lowers nothing', async () => {
    const { exitCode, stdout } = await warm('--read-units', '12000', '--write-units', '16000', '--json');
    expect(exitCode).toBe(0);
    const raised = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 16_000 };
    expect(aws.updates).toEqual([
      {
        TableName: 'tickets',
        WarmThroughput: raised,
        GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'by1', WarmThroughput: raised } }],
      },
    ]);
    expect(JSON.parse(stdout)).toEqual({
      object: 'table_throughput',
      table: 'tickets',
      state: 'UPDATING',
      data: [
        { name: 'table', read_units: 12_000, write_units: 16_000 },
        { name: 'by1', read_units: 12_000, write_units: 16_000 },
        { name: 'by2', read_units: 30_000, write_units: 20_000 },
      ],
      changed: true,
    });
  });

  it('table warm without options shows the current values and changes nothing', async () => {
    const { exitCode, stdout } = await warm();
    expect({ exitCode, updates: aws.updates }).toEqual({ exitCode: 0, updates: [] });
    expect(stdout).toMatch(/table +12000 +4000\n/);
    expect(stdout).toContain('State: ACTIVE. Nothing changed.');
  });

  it('table warm repeated changes nothing, and refuses a second change while AWS works on the first', async () => {
    await warm('--write-units', '4000');
    expect(aws.updates).toEqual([]);
    aws.table.TableStatus = 'UPDATING';
    expect(await warm('--write-units', '16000')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The table is UPDATING, and AWS accepts one change at a time. Try later.',
    });
    expect(aws.updates).toEqual([]);
  });

  it('table warm refuses more than the quota of the account, names the quota, and accepts it once it is raised', async () => {
    expect(await warm('--write-units', '60000')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'The account allows 40000 write units a second for a table. Request more: aws service-quotas request-service-quota-increase --service-code dynamodb --quota-code L-AB614373 --desired-value 60000',
    });
    expect(aws.updates).toEqual([]);
    aws.limits.TableMaxWriteCapacityUnits = 80_000;
    expect((await warm('--write-units', '60000')).exitCode).toBe(0);
    expect(aws.updates).toHaveLength(1);
    aws.limits.TableMaxWriteCapacityUnits = 40_000;
  });

  it.each(['0', '-1', '1.5', '10000000', 'many'])('table warm refuses %s units', async (value) => {
    const { exitCode, stderr } = await warm('--write-units', value);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--write-units');
    expect(aws.updates).toEqual([]);
  });
});

describe('admin table warm --local', () => {
  it('table warm says that it has no effect on the local run', async () => {
    expect(await local.admin('table', 'warm', '--write-units', '16000', '--local')).toEqual({
      exitCode: 0,
      stdout: 'The local run has no limits of throughput, so this command has no effect there. Use --stage.',
      stderr: '',
    });
  });
});

describe('the arithmetic of a sale', () => {
  it('the runbook uses the units per ticket that the benchmark measured', () => {
    const Results = v.looseObject({
      parts: v.looseObject({
        operations: v.looseObject({
          tables: v.array(v.looseObject({ title: v.string(), rows: v.array(v.array(v.unknown())) })),
        }),
      }),
    });
    const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const { tables } = v.parse(Results, JSON.parse(file('bench/results/latest.json'))).parts.operations;
    const rows = tables.find(({ title }) => title === 'Per ticket')?.rows ?? [];
    const unitsOf = (what: string) => rows.find(([name]) => String(name).startsWith(what))?.slice(2, 4) ?? [];
    const [soldRead, soldWrite] = unitsOf('ticket sold (');
    const [scanRead, scanWrite] = unitsOf('ticket scanned');
    expect(file('docs/runbook.md')).toContain(
      `a ticket sold costs ${soldRead} read and ${soldWrite} write units, a scan ${scanRead} and ${scanWrite}`,
    );
  });
});
