import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { backupChecks } from '../../admin/smoke/checks/backups.ts';
import type { SmokeTarget } from '../../admin/smoke/target.ts';
import { listen } from '../../local/cloud/http/listen.ts';

const [home, copies] = ['ap-southeast-2', 'ap-southeast-4'];
const hoursAgo = (hours: number): number => Date.now() / 1000 - hours * 3_600;

/** AWS Backup in two regions, as far as the checks call it. */
interface Backup {
  settings: Record<string, boolean>;
  vaults: Record<string, { Locked: boolean; CreationDate: number }>;
  points: { Status: string; CreationDate: number }[];
}
const backups: Record<string, Backup> = {};

const server = createServer((request, response) => {
  const answer = (document: object, status = 200): void => {
    const type = status === 200 ? {} : { 'x-amzn-ErrorType': 'ResourceNotFoundException' };
    response.writeHead(status, { 'Content-Type': 'application/json', ...type }).end(JSON.stringify(document));
  };
  if (request.headers['x-amz-target']) {
    answer({ ReplicationStatus: [{ Region: copies, Status: 'InSync' }] });
    return;
  }
  // The signature names the region that the caller asks.
  const region = /\/\d{8}\/([a-z0-9-]+)\/backup\//.exec(String(request.headers.authorization))?.[1] ?? '';
  const { settings, vaults, points } = backups[region] ?? { settings: {}, vaults: {}, points: [] };
  const [, vault = ''] = /^\/backup-vaults\/([^/?]+)/.exec(request.url ?? '') ?? [];
  if (request.url?.startsWith('/account-settings'))
    answer({ ResourceTypeOptInPreference: settings, ResourceTypeManagementPreference: settings });
  else if (request.url?.includes('/recovery-points')) answer({ RecoveryPoints: points });
  else if (vaults[vault]) answer(vaults[vault]);
  else answer({ Code: 'ResourceNotFoundException', Message: 'Backup vault not found' }, 400);
});

beforeAll(async () => {
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  vi.stubEnv('AWS_ENDPOINT_URL', url);
  vi.stubEnv('AWS_REGION', home);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});
beforeEach(() => {
  const on = { DynamoDB: true };
  const vault = () => ({ Locked: true, CreationDate: hoursAgo(900) });
  backups[home] = { settings: { ...on }, vaults: { 'gateline-prod': vault() }, points: [] };
  backups[copies] = {
    settings: { ...on },
    vaults: { 'gateline-prod-copy': vault() },
    points: [
      { Status: 'COMPLETED', CreationDate: hoursAgo(30) },
      { Status: 'COMPLETED', CreationDate: hoursAgo(6) },
    ],
  };
});

const stage = (...types: readonly string[]) =>
  ({
    stage: 'prod',
    resources: types.map((type) => ({ type, logicalId: 'x', physicalId: 'arn:key' })),
  }) as unknown as SmokeTarget;
const withBackups = stage('AWS::Backup::BackupPlan', 'AWS::SecretsManager::Secret');
const run = async (id: string, target = withBackups) => backupChecks.find((check) => check.id === id)?.run(target);

it('smoke proves the vaults, their opt-in and the newest copy of a stage with backups, and nothing of another', async () => {
  for (const { id } of backupChecks) {
    expect(await run(id)).toMatchObject({ status: 'proved' });
    expect(await run(id, stage('AWS::SecretsManager::Secret'))).toMatchObject({ status: 'not provable' });
  }
});

it('smoke fails while AWS Backup does not manage tables in the region of the copies', async () => {
  Object.assign(backups[copies]?.settings ?? {}, { DynamoDB: false });
  expect(await run('backup-opt-in')).toMatchObject({ status: 'failed', detail: expect.stringContaining(copies) });
});

it('smoke fails for a vault of copies that is missing or not locked', async () => {
  Object.assign(backups[copies]?.vaults['gateline-prod-copy'] ?? {}, { Locked: false });
  expect(await run('backup-vaults')).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('gateline-prod-copy (not locked)'),
  });
  backups[copies] = { settings: {}, vaults: {}, points: [] };
  expect(await run('backup-vaults')).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('gateline-prod-copy (missing)'),
  });
});

it('smoke fails when the newest complete copy is old, and waits for the first night of a new stage', async () => {
  const points = [
    { Status: 'COMPLETED', CreationDate: hoursAgo(30) },
    { Status: 'PARTIAL', CreationDate: hoursAgo(1) },
  ];
  Object.assign(backups[copies] ?? {}, { points });
  expect(await run('newest-copy')).toMatchObject({ status: 'failed', detail: expect.stringContaining('30 hours old') });
  Object.assign(backups[copies] ?? {}, { points: [] });
  expect(await run('newest-copy')).toMatchObject({ status: 'failed', detail: expect.stringContaining('has no copy') });
  Object.assign(backups[home]?.vaults['gateline-prod'] ?? {}, { CreationDate: hoursAgo(2) });
  expect(await run('newest-copy')).toMatchObject({ status: 'not provable' });
});
