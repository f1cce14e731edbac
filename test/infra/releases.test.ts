import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { parseSourceMaps, sourceMapsFile } from '../../lib/source-maps.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { isDeployedWith } from '../../shared/workers/worker.ts';
import { checkRetiredGrants, lostGrants } from '../../tools/rehearsal/check-retired-grants.ts';
import { deploy } from '../../tools/rehearsal/deploy.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { onlyHealth, withSmallStacks } from '../support/synthesize-small.ts';
import { readStack, readStacks, type Synthesized } from '../support/template.ts';
import { longSuite, longTest } from '../support/thorough.ts';

/** An account that has room for every stage. */
const manyFunctions = { region: 'ap-southeast-2', limit: 10_000, unreserved: 10_000 };

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
    const Assets = v.object({
      files: v.record(
        v.string(),
        v.looseObject({ destinations: v.record(v.string(), v.looseObject({ objectKey: v.string() })) }),
      ),
    });
    const withCode = ['api/service/health', 'consumers/deliver-webhook'];
    const small = { config: stageConfig('dev'), operations: onlyHealth, keepSourceMaps: true, withCode };
    const { release, keys, kept } = withSmallStacks(small, (folder) => {
      const [name = ''] = releasesOf(readStacks(folder));
      const text = readFileSync(join(folder, 'Gateline-dev-service.assets.json'), 'utf8');
      const assets = Object.values(v.parse(Assets, JSON.parse(text)).files);
      return {
        release: name,
        keys: assets.flatMap(({ destinations }) => Object.values(destinations).map(({ objectKey }) => objectKey)),
        kept: parseSourceMaps(readFileSync(join(folder, sourceMapsFile(name)))),
      };
    });
    expect(keys).toContain(sourceMapsFile(release));
    expect(kept.release).toBe(release);
    expect(kept.maps['health.js']?.sources).toContain('functions/api/service/health.ts');
    expect(kept.maps['deliver-webhook.js']?.sources).toContain('shared/webhooks/attempt-delivery.ts');
  });
});

const prod = readStack('prod');

const tools = {
  readDeployed: async () => [],
  readAccount: async () => manyFunctions,
  readRaised: () => ({}),
  createSigningKey: () => 0,
};

describe('rollback of a release', () => {
  it('every operation is served through an alias, at the version of the release', () => {
    const routes = JSON.stringify(prod.ofType('AWS::ApiGateway::RestApi').map(({ Properties }) => Properties));
    const aliases = prod.ofType('AWS::Lambda::Alias');
    // Workers have one each too (test/infra/workers.test.ts).
    expect(aliases).toHaveLength(
      operations.length + workers.filter((worker) => isDeployedWith(worker, 'stripe')).length,
    );
    for (const operation of operations) {
      const { logicalId } = prod.functionOf(operation);
      const alias = aliases.find(({ Properties }) => referencesIn(Properties.FunctionName).includes(logicalId));
      expect(alias?.Properties, operation.id).toMatchObject({ Name: 'live' });
      expect(routes).toContain(`"${alias?.logicalId}"`);
      const [version = ''] = referencesIn(alias?.Properties.FunctionVersion);
      expect(prod.resources.get(version)?.Type).toBe('AWS::Lambda::Version');
    }
  });

  it('versions are retained, except those of a deployment that failed', () => {
    const versions = prod.ofType('AWS::Lambda::Version');
    expect(versions.length).toBeGreaterThanOrEqual(operations.length);
    for (const version of versions)
      expect(version).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  });

  it('the next release moves every alias, so that it also replaces a rollback that CloudFormation does not know of', () => {
    // The probe operation changes the release and nothing else in the functions of the others.
    const [before, after] = [readStack('dev'), readStack('probe')];
    expect(releasesOf(before)).not.toEqual(releasesOf(after));
    for (const { logicalId, Properties } of before.ofType('AWS::Lambda::Alias')) {
      const next = after.resources.get(logicalId)?.Properties;
      expect(next?.FunctionName).toEqual(Properties.FunctionName);
      expect(next?.FunctionVersion).not.toEqual(Properties.FunctionVersion);
    }
  });

  it('the release alarms watch the new version only, by the share of failed requests, before the alias moves', () => {
    const gradual = operations.filter(({ runtime }) => runtime.releasedGradually);
    expect(gradual.length).toBeGreaterThan(0);
    for (const operation of gradual) {
      const { logicalId } = prod.functionOf(operation);
      const alias = prod
        .ofType('AWS::Lambda::Alias')
        .find(({ Properties }) => referencesIn(Properties.FunctionName).includes(logicalId));
      const version = referencesIn(alias?.Properties.FunctionVersion);
      const alarms = [alias?.DependsOn ?? []].flat().flatMap((id) => {
        const found = prod.resources.get(id);
        return found?.Type === 'AWS::CloudWatch::Alarm' ? [found.Properties] : [];
      });
      expect(alarms).toHaveLength(2);
      for (const { Metrics, Threshold } of alarms) {
        expect(referencesIn(Metrics)).toEqual(expect.arrayContaining(version));
        expect(JSON.stringify(Metrics)).not.toContain('FILL');
        expect(Threshold).toBe(1);
      }
      const text = JSON.stringify(alarms);
      for (const part of ['ExecutedVersion', '100 * errors / invocations', 'ReleaseFailed'])
        expect(text).toContain(part);
    }
  });

  longTest('an emergency release has no canary, and keeps everything else', () => {
    const some = operations.filter(({ runtime }) => runtime.releasedGradually);
    const [gradual, atOnce] = [false, true].map((isEmergency) =>
      withSmallStacks({ config: stageConfig('prod'), operations: some, isEmergency }, readStacks),
    );
    const policies = (stack: Synthesized | undefined) =>
      stack?.ofType('AWS::Lambda::Alias').filter((alias) => 'UpdatePolicy' in alias).length;
    expect([policies(gradual), policies(atOnce)]).toEqual([some.length, 0]);
    expect([...(atOnce?.resources.keys() ?? [])]).toEqual([...(gradual?.resources.keys() ?? [])]);
  });

  longTest('npm run deploy -- --emergency synthesizes such a release and says so loudly', async () => {
    const commands: string[] = [];
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const cdk = (args: readonly string[]) => {
      commands.push(args.join(' '));
      if (args[0] === 'synth') cpSync(prod.assemblyDir, String(args.at(-1)), { recursive: true });
      return 0;
    };
    const exit = await deploy(['deploy', '--stage', 'prod', '--emergency'], { ...tools, cdk });
    const warning = written.mock.calls.map(([text]) => String(text)).join('');
    written.mockRestore();
    expect([exit, commands]).toEqual([
      0,
      [expect.stringContaining('-c emergency=true'), expect.stringContaining('deploy --all')],
    ]);
    expect(warning).toContain('EMERGENCY DEPLOYMENT OF PROD');
    expect(warning).toContain('npm run rollback -- --stage prod');
  });
});

longSuite('npm run diff', () => {
  /** The templates as an earlier release left them: other ids of the release and versions, and perhaps another summary of health. */
  function earlierTemplates(summary?: string): unknown[] {
    const text = JSON.stringify(prod.stacks.map(({ template }) => template))
      .replace(/"RELEASE":"[0-9a-f]{12}"/g, '"RELEASE":"000000000001"')
      .replace(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, `$1${'0'.repeat(32)}`)
      .replace(/("TemplateURL":\{"Fn::Sub":"[^"]*\/)[0-9a-f]{64}/g, `$1${'0'.repeat(64)}`);
    return JSON.parse(summary === undefined ? text : text.replace(/"health: [^"]+"/, `"health: ${summary}"`));
  }

  /** What the CDK would compare: the templates of the assembly, in the order of the deployed ones. */
  async function compared(deployed: unknown[]): Promise<unknown[]> {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    let templates: unknown[] = [];
    const cdk = (args: readonly string[]) => {
      const folder = String(args.at(-1));
      if (args[0] === 'synth') cpSync(prod.assemblyDir, folder, { recursive: true });
      else templates = readStacks(folder).stacks.map(({ template }) => template);
      return 0;
    };
    await deploy(['diff', '--stage', 'prod'], { ...tools, cdk, readDeployed: async () => deployed });
    expect(written.mock.calls.join('')).toContain('The release 000000000001 becomes ');
    written.mockRestore();
    return templates;
  }

  it('the diff leaves out what only the id of the release changes, and shows everything else', async () => {
    const deployed = earlierTemplates();
    const same = await compared(deployed);
    const resources = (templates: unknown[]) =>
      templates.map((template) => v.parse(v.looseObject({ Resources: v.unknown() }), template).Resources);
    expect(resources(same)).toEqual(resources(deployed));
    const changed = earlierTemplates('another summary');
    const differing = (await compared(changed)).filter(
      (template, index) => JSON.stringify(resources([template])) !== JSON.stringify(resources([changed[index]])),
    );
    expect(differing).toHaveLength(1);
  });
});

describe('grants of the deployed release', () => {
  const templates = prod.stacks.map(({ template }) => template);
  const Changeable = v.looseObject({
    Properties: v.looseObject({
      Policies: v.array(v.looseObject({ PolicyDocument: v.looseObject({ Statement: v.array(v.looseObject({})) }) })),
    }),
    Metadata: v.optional(v.record(v.string(), v.unknown())),
  });

  /** The templates in which the role of an operation allows something more, as the release before did. */
  function earlier(retired: readonly string[] = []): unknown[] {
    const copy: unknown[] = structuredClone(templates);
    const { logicalId } = prod.functionOf({ id: 'check-out-basket' });
    const role = referencesIn(prod.resources.get(logicalId)?.Properties.Role)[0]?.split('/').at(-1) ?? '';
    for (const template of copy) {
      const { Resources } = v.parse(v.looseObject({ Resources: v.record(v.string(), v.unknown()) }), template);
      if (!(role in Resources)) continue;
      const found = v.parse(Changeable, Resources[role]);
      found.Properties.Policies[0]?.PolicyDocument.Statement.push({
        Action: 'dynamodb:DeleteItem',
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SBX#*'] } },
      });
      const more = { Metadata: { 'gateline:retired-grants': retired } };
      Object.assign(template as object, { Resources: { ...Resources, [role]: { ...found, ...more } } });
    }
    return copy;
  }

  it('a grant that the deployed release uses may not go, and one that it has retired may', () => {
    expect(lostGrants(earlier(), templates)).toEqual([{ id: 'check-out-basket', grant: 'DeleteItem on SBX' }]);
    expect(checkRetiredGrants('prod', earlier(), templates)).toEqual([
      expect.stringContaining('npm run retire-grants -- --stage prod'),
    ]);
    expect(lostGrants(earlier(['DeleteItem on SBX']), templates)).toEqual([]);
    expect(lostGrants(templates, earlier())).toEqual([]);
    expect(lostGrants([], templates)).toEqual([]);
  });

  it('npm run deploy refuses a release whose roles the deployed one could not run with', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const commands: string[] = [];
    const cdk = (args: readonly string[]) => {
      commands.push(String(args[0]));
      if (args[0] === 'synth') cpSync(prod.assemblyDir, String(args.at(-1)), { recursive: true });
      return 0;
    };
    const exit = await deploy(['deploy', '--stage', 'prod'], { ...tools, cdk, readDeployed: async () => earlier() });
    const printed = written.mock.calls.map(([text]) => String(text)).join('');
    written.mockRestore();
    expect([exit, commands]).toEqual([1, ['synth']]);
    expect(printed).toContain('a rollback would fail');
  });
});
