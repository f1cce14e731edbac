import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smoke } from '../../admin/smoke/smoke.ts';
import { type Cloud, startCloud } from '../../local/cloud/cloud.ts';
import { writeLocalConnection } from '../../local/run/connection-file.ts';
import { localVariables } from '../../local/run/local-variables.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { itemsLike } from '../../tools/fixtures/orders.ts';
import { testSigner, testSigningKey } from '../../tools/fixtures/signing-key.ts';
import { assembly } from '../support/assembly.ts';
import { inMemory } from '../support/table.ts';
import { longTest } from '../support/thorough.ts';

let cloud: Cloud;
let table: Table;
let folder: string;

/** As `npm start` starts it, with its throttle and the files that it leaves for the operator's tools. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateline-smoke-'));
  cloud = await startCloud({
    ...assembly('probe'),
    port: 0,
    ...inMemory(),
    longestWaitMs: 500,
    variables: { ...localVariables, TOKEN_PUBLIC_KEYS: testSigner.publicKey },
    onLog: () => undefined,
  });
  const { region, accessKeyId, secretAccessKey } = cloud.operator;
  const [{ ref: name } = { ref: '' }] = cloud.template.ofType('AWS::DynamoDB::GlobalTable');
  const endpoint = cloud.endpoints.dynamodb;
  table = openTable(name, { ...batchClientConfig, region, endpoint, credentials: { accessKeyId, secretAccessKey } });
  const connection = { region, table: name, endpoint, accessKeyId, secretAccessKey };
  writeLocalConnection(join(folder, 'admin.json'), { ...connection, signingKey: testSigningKey, variables: {} });
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ url: cloud.url }));
});
afterAll(async () => {
  table.client.destroy();
  await cloud.stop();
  rmSync(folder, { recursive: true });
});

async function run(...argv: string[]) {
  const lines: string[] = [];
  const errors: string[] = [];
  // The schedules run every minute of the cloud's clock. All of them start at once, so not too often.
  const minutes = setInterval(() => cloud.clock.advance(60), 10_000);
  const exitCode = await smoke(argv, {
    environment: {},
    localFolder: folder,
    interruption: new AbortController().signal,
    print: (line) => lines.push(line),
    printError: (line) => errors.push(line),
  });
  clearInterval(minutes);
  return { exitCode, output: lines.join('\n'), errors: errors.join('\n') };
}

describe('smoke', () => {
  longTest(
    'smoke proves on the local run what that can show, says why the rest is not provable, and leaves no row',
    async () => {
      const { exitCode, output } = await run('--stage', 'local', '--json');
      const report: { checks: { id: string; status: string; detail: string }[] } = JSON.parse(output);
      const statuses = Object.fromEntries(report.checks.map(({ id, status }) => [id, status]));
      expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([]);
      expect(statuses).toEqual({
        health: 'proved',
        authentication: 'proved',
        'gateway-responses': 'proved',
        'gateway-request-id': 'proved',
        'wrong-method': 'proved',
        preflight: 'proved',
        streaming: 'proved',
        'time-to-live': 'not provable',
        stream: 'proved',
        schedules: 'proved',
        'alarm-to-mailbox': 'not provable',
        'canary-metric': 'not provable',
        'secret-replicas': 'not provable',
        'backup-vaults': 'not provable',
        'backup-opt-in': 'not provable',
        'newest-copy': 'not provable',
        'signing-key-encryption': 'not provable',
        firewall: 'not provable',
        'invoke-role-source': 'not provable',
        'refused-function': 'not provable',
        'rollback-of-one-function': 'not provable',
        'gradual-release': 'not provable',
        throttling: 'proved',
      });
      expect(report).toMatchObject({ stage: 'local', target: 'local', proved: 10, not_provable: 13, failed: 0 });
      expect(exitCode).toBe(0);
      const left = (await itemsLike(table, '')).filter(({ pk, sk }) =>
        `${String(pk)} ${String(sk)}`.includes('org_smoke'),
      );
      expect(left).toEqual([]);
    },
    240_000,
  );

  it('smoke names what failed and what to do, with exit status 1', async () => {
    const { exitCode, output } = await run('--stage', 'local', '--only', 'health', '--address', `${cloud.url}/v2`);
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /^failed {8}health {20}GET \/v1\/health is 404: .* See "The canary fails" in docs\/runbook\.md\.$/m,
    );
    expect(output).toMatch(/^local: 0 proved, 0 not provable here, 1 failed\.$/m);
  });

  it('smoke needs a stage, and checks that exist', async () => {
    expect(await run('--stage', 'local', '--only', 'nothing')).toEqual({
      exitCode: 2,
      output: '',
      errors: 'There is no check nothing.',
    });
    const { exitCode, errors } = await run('--stage', 'staging');
    expect(exitCode).toBe(2);
    expect(errors).toContain('Set --stage. npm run smoke -- --stage local|dev|prod');
  });
});
