import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSourceMaps, sourceMapsFile } from '../../lib/source-maps.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import { synthesize } from '../../lib/synthesize.ts';
import { operations } from '../../shared/operations/registry.ts';
import { readStack, readStacks, type Synthesized } from '../support/template.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WithRelease = v.looseObject({ Environment: v.object({ Variables: v.looseObject({ RELEASE: v.string() }) }) });

function releasesOf(stack: Synthesized): string[] {
  const functions = stack.ofType('AWS::Lambda::Function').map(({ Properties }) => v.parse(WithRelease, Properties));
  return [...new Set(functions.map(({ Environment }) => Environment.Variables.RELEASE))];
}

describe('release of the functions', () => {
  it('all functions have the same release, on every stage', () => {
    const [dev, prod] = [releasesOf(readStack('dev')), releasesOf(readStack('prod'))];
    expect(dev).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/)]);
    expect(prod).toEqual(dev);
  });

  it('the source maps are uploaded with the assets, under the name of the release, and no function contains them', () => {
    const some = operations.filter(({ id }) => id === 'health');
    synthesize(folder, { config: stageConfig('dev'), operations: some, keepSourceMaps: true });
    const [release = ''] = releasesOf(readStacks(folder));
    const Assets = v.object({
      files: v.record(
        v.string(),
        v.looseObject({ destinations: v.record(v.string(), v.looseObject({ objectKey: v.string() })) }),
      ),
    });
    const { files } = v.parse(
      Assets,
      JSON.parse(readFileSync(join(folder, 'Gateline-dev-service.assets.json'), 'utf8')),
    );
    const keys = Object.values(files).flatMap(({ destinations }) =>
      Object.values(destinations).map(({ objectKey }) => objectKey),
    );
    expect(keys).toContain(sourceMapsFile(release));
    const kept = parseSourceMaps(readFileSync(join(folder, sourceMapsFile(release))));
    expect(kept.release).toBe(release);
    expect(kept.maps['health.js']?.sources).toContain('functions/api/service/health.ts');
    expect(kept.maps['deliver-webhook.js']?.sources).toContain('shared/webhooks/attempt-delivery.ts');
  });
});
