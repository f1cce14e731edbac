import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { stageConfig } from '../../lib/stage-config.ts';
import { operations } from '../../shared/operations/registry.ts';
import { readStack } from '../support/template.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('limits of CloudFormation', () => {
  it('leave room for forty operations, each as large as the largest kind', () => {
    const today = readStack('dev').resources.size;
    const withProbe = readStack('probe').resources.size;
    const perOperation = withProbe - today;
    expect(perOperation).toBeGreaterThan(0);
    expect(today + (40 - operations.length) * perOperation).toBeLessThan(500);
  });
});

describe('the production stage', () => {
  const stack = readStack('prod');
  const [table] = stack.ofType('AWS::DynamoDB::GlobalTable');

  it('keeps its data: recovery to any second, protection against deletion, a table that outlives the stack', () => {
    expect(table?.DeletionPolicy).toBe('Retain');
    expect(table?.Properties.Replicas).toMatchObject([
      { DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    ]);
  });

  it('pays for use, expires items and streams what is written', () => {
    expect(table?.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
    });
  });

  it('throttles as its configuration says', () => {
    const { requestsPerSecond, requestBurst } = stageConfig('prod');
    expect(stack.ofType('AWS::ApiGateway::Stage')[0]?.Properties.MethodSettings).toMatchObject([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: requestsPerSecond,
        ThrottlingBurstLimit: requestBurst,
      },
    ]);
  });

  it('names nothing that CloudFormation should name', () => {
    const named = [...stack.resources].filter(([, { Properties }]) =>
      ['TableName', 'FunctionName', 'RoleName', 'QueueName', 'LogGroupName'].some(
        (property) => typeof Properties[property] === 'string',
      ),
    );
    expect(named.map(([id]) => id)).toEqual([]);
  });
});

describe('cdk synth', () => {
  it('needs no credentials and no network, and makes the very template that is tested and run', () => {
    const cdk = fileURLToPath(new URL('../../node_modules/.bin/cdk', import.meta.url));
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
    };
    const folder = mkdtempSync(join(tmpdir(), 'gateline-synth-'));
    execFileSync(cdk, ['synth', '--quiet', '-c', 'stage=prod', '--output', folder], { cwd: root, env, stdio: 'pipe' });
    const deployed = JSON.parse(readFileSync(join(folder, 'Gateline-prod.template.json'), 'utf8')).Resources;
    rmSync(folder, { recursive: true });
    // What tests and the local run look at is what is deployed. A deployment's id is a hash that counts in the metadata.
    const comparable = (resources: Readonly<Record<string, object>>): unknown => {
      const text = JSON.stringify(resources).replace(/(ApiDeployment[0-9A-F]{8})[0-9a-f]{32}/g, '$1');
      const entries: [string, object][] = Object.entries(JSON.parse(text));
      return Object.fromEntries(entries.map(([id, resource]) => [id, { ...resource, Metadata: undefined }]));
    };
    expect(comparable(deployed)).toEqual(comparable(Object.fromEntries(readStack('prod').resources)));
  });

  it('refuses a stage that does not exist', () => {
    expect(() => stageConfig('production')).toThrow('Unknown stage production. Known: dev, prod.');
  });
});
