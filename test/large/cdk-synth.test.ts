import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { stageConfig } from '../../lib/stage-config.ts';
import { synthesize } from '../../lib/synthesize.ts';
import { type Resource, readStacks } from '../support/template.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('cdk synth needs no credentials and no network, and creates the template that is tested and run locally', () => {
  const cdk = fileURLToPath(new URL('../../node_modules/.bin/cdk', import.meta.url));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    AWS_REGION: 'ap-southeast-2',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
  };
  const folder = mkdtempSync(join(tmpdir(), 'gateline-synth-'));
  execFileSync(cdk, ['synth', '--quiet', '-c', 'stage=prod', '--output', join(folder, 'cdk')], {
    cwd: root,
    env,
    stdio: 'pipe',
  });
  const deployed = readStacks(join(folder, 'cdk')).resources;
  const config = { ...stageConfig('prod'), restoredTable: undefined };
  const tested = readStacks(synthesize(join(folder, 'tested'), { config }).assemblyDir).resources;
  rmSync(folder, { recursive: true });
  // Tests and the local run use what is deployed. The id of a deployment is a hash over the metadata.
  const comparable = (resources: ReadonlyMap<string, Resource>): unknown => {
    const text = JSON.stringify(Object.fromEntries(resources)).replace(/(ApiDeployment[0-9A-F]{8})[0-9a-f]{32}/g, '$1');
    const entries: [string, object][] = Object.entries(JSON.parse(text));
    return Object.fromEntries(entries.map(([id, resource]) => [id, { ...resource, Metadata: undefined }]));
  };
  expect(comparable(deployed)).toEqual(comparable(tested));
});
