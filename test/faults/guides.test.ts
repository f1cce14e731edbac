import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { startDemo } from '../support/demo.ts';
import { hasCurl, runShell, runTypeScript } from '../support/documents.ts';
import { guides, missingLines, runGuide } from '../support/guides.ts';
import type { RunFile } from '../support/started-gateline.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-guides-'));
const localFolder = join(folder, '.local');
let cloud: Cloud;
let run: RunFile;

beforeAll(async () => {
  ({ cloud } = await startDemo(localFolder));
  run = JSON.parse(readFileSync(join(localFolder, 'run.json'), 'utf8'));
});
afterAll(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasCurl)('the guides', () => {
  it.for(guides)('$name: every code block runs, and prints what the guide says', async (guide, { signal }) => {
    const printed = await runGuide(guide, folder, signal);
    expect(missingLines(guide, printed), printed).toEqual([]);
  });
});

describe.skipIf(!hasCurl)('the guides after the time of the run was moved', () => {
  beforeAll(() => cloud.clock.advance(3 * 86_400));
  const ofTime = [
    ...['sell-your-first-ticket', 'receive-webhooks', 'sync-members', 'sign-fans-in'],
    ...['run-a-gate', 'run-an-on-sale'],
  ];

  it.for(guides.filter(({ name }) => ofTime.includes(name)))(
    '$name: every code block runs, and prints what the guide says',
    async (guide, { signal }) => {
      const printed = await runGuide(guide, folder, signal);
      expect(missingLines(guide, printed), printed).toEqual([]);
    },
  );
});

describe('the reference page at /docs', () => {
  const Sampled = v.object({ 'x-codeSamples': v.array(v.object({ label: v.string(), source: v.string() })) });
  const hasPython = spawnSync('python3', ['--version']).status === 0;

  it('its samples in curl, TypeScript and Python work as printed', async () => {
    const { paths } = v.parse(
      v.object({ paths: v.record(v.string(), v.record(v.string(), v.unknown())) }),
      await (await fetch(new URL('openapi.json', run.docs_url))).json(),
    );
    const variables = { GATELINE_API_KEY: run.organisations[0]?.api_key ?? '', HOME: localFolder };
    const runners: Record<string, (code: string) => Promise<string>> = {
      ...(hasCurl && { curl: (code: string) => runShell(code, variables) }),
      TypeScript: (code) => runTypeScript(code, variables),
      ...(hasPython && { Python: (code: string) => runShell(`python3 -c '${code}'`, variables) }),
    };
    for (const operation of [paths['/v1/events']?.get, paths['/v1/baskets']?.post]) {
      const samples = v.parse(Sampled, operation)['x-codeSamples'];
      expect(samples.map(({ label }) => label)).toEqual(['curl', 'TypeScript', 'Python']);
      for (const { label, source } of samples)
        expect(await runners[label]?.(source), source).toContain('org_harbourfc');
    }
  });
});
