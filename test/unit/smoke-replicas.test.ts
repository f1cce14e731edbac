import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { recoveryChecks } from '../../admin/smoke/checks/recovery.ts';
import type { SmokeTarget } from '../../admin/smoke/target.ts';
import { listen } from '../../local/cloud/http/listen.ts';

/** Secrets Manager, as far as the check calls it: the replicas of each secret. */
const replicas: Record<string, readonly string[]> = {};
const secretsManager = createServer(async (request, response) => {
  const { SecretId } = JSON.parse(await text(request));
  const ReplicationStatus = (replicas[SecretId] ?? []).map((Status) => ({ Region: 'ap-southeast-4', Status }));
  response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify({ ReplicationStatus }));
});
beforeAll(async () => {
  const port = await listen(secretsManager, 0);
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${port}`);
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
});
afterAll(() => {
  vi.unstubAllEnvs();
  secretsManager.close();
});

const [check] = recoveryChecks;
const stage = (...types: readonly string[]) =>
  ({
    stage: 'prod',
    resources: types.map((type) => ({ type, logicalId: 'x', physicalId: 'arn:key' })),
  }) as unknown as SmokeTarget;
const secret = 'AWS::SecretsManager::Secret';

it('smoke names every secret without a replica, also the signing key, which is in no stack', async () => {
  const withBackups = stage('AWS::Backup::BackupPlan', secret);
  Object.assign(replicas, { 'arn:key': ['InSync'], 'gateline/prod/signing-key': ['Failed'] });
  expect(await check?.run(withBackups)).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('would be lost with the region: gateline/prod/signing-key.'),
  });
  Object.assign(replicas, { 'gateline/prod/signing-key': ['InSync'] });
  expect(await check?.run(withBackups)).toMatchObject({ status: 'proved', detail: '2 secrets have a replica.' });
  expect(await check?.run(stage(secret))).toMatchObject({ status: 'not provable' });
});
