import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { stageConfig } from '../../lib/stage-config.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { checkLimits } from '../../tools/rehearsal/check-template.ts';
import { deploy } from '../../tools/rehearsal/deploy.ts';
import { referencesIn, rehearsedStack } from '../../tools/rehearsal/rehearsed-stack.ts';
import { assembly } from '../support/assembly.ts';
import { withSmallStacks } from '../support/synthesize-small.ts';
import { readStack, type Synthesized } from '../support/template.ts';
import { longSuite } from '../support/thorough.ts';

const namesOf = (stage: 'dev' | 'prod') => Object.keys(readManifest(stage));

function readManifest(stage: 'dev' | 'prod'): Record<string, { properties: { terminationProtection?: boolean } }> {
  const { artifacts } = JSON.parse(readFileSync(join(assembly(stage).assemblyDir, 'manifest.json'), 'utf8'));
  const stacks = Object.entries<{ type: string; dependencies?: string[]; properties: object }>(artifacts).filter(
    ([, { type }]) => type === 'aws:cloudformation:stack',
  );
  return Object.fromEntries(stacks);
}

describe('stacks of a stage', () => {
  it.each(['dev', 'prod'] as const)('%s has a state stack, and a service stack that is deployed after it', (stage) => {
    expect(namesOf(stage)).toEqual([`Gateline-${stage}-state`, `Gateline-${stage}-service`]);
    expect(readManifest(stage)[`Gateline-${stage}-service`]).toMatchObject({
      dependencies: expect.arrayContaining([`Gateline-${stage}-state`]),
    });
  });

  it('the state stack of prod has termination protection and retains every resource that holds state', () => {
    expect(readManifest('prod')['Gateline-prod-state']?.properties.terminationProtection).toBe(true);
    expect(readManifest('dev')['Gateline-dev-state']?.properties.terminationProtection ?? false).toBe(false);
    const held = [...readStack('prod').resources.values()].filter(
      ({ StackName, Type }) =>
        StackName === 'Gateline-prod-state' &&
        !/Policy$|SSM|Subscription|BackupPlan|BackupSelection|Role$|Alarm$|Budget$/.test(Type),
    );
    expect(held.map(({ Type }) => Type).sort()).toEqual([
      'AWS::Backup::BackupVault',
      'AWS::DynamoDB::GlobalTable',
      'AWS::Events::EventBus',
      'AWS::KMS::Key',
      'AWS::SNS::Topic',
      'AWS::SNS::Topic',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
    ]);
    for (const { DeletionPolicy, UpdateReplacePolicy } of held) {
      expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    }
  });

  it('the table of prod is backed up every night, with a copy in another region and a lock on the vault; dev is not', () => {
    const { ofType } = readStack('prod');
    const [vault] = ofType('AWS::Backup::BackupVault');
    expect(vault?.Properties).toMatchObject({
      BackupVaultName: 'gateline-prod',
      LockConfiguration: { MinRetentionDays: 7, ChangeableForDays: 3 },
    });
    expect(referencesIn(vault?.Properties)).toContain(ofType('AWS::KMS::Key')[0]?.logicalId);
    const [plan] = ofType('AWS::Backup::BackupPlan');
    const text = JSON.stringify(plan?.Properties);
    expect(text).toMatch(/"DestinationBackupVaultArn":.*:backup:ap-southeast-4:.*:backup-vault:gateline-prod-copy/);
    const days = { DeleteAfterDays: v.number() };
    const Rule = v.looseObject({
      RuleName: v.string(),
      Lifecycle: v.object(days),
      CopyActions: v.array(v.looseObject({ Lifecycle: v.object(days) })),
    });
    const Plan = v.looseObject({ BackupPlan: v.looseObject({ BackupPlanRule: v.array(Rule) }) });
    const kept = v
      .parse(Plan, plan?.Properties)
      .BackupPlan.BackupPlanRule.map(({ RuleName, Lifecycle, CopyActions }) => [
        RuleName,
        Lifecycle.DeleteAfterDays,
        ...CopyActions.map((copy) => copy.Lifecycle.DeleteAfterDays),
      ]);
    // 35 nights here; in the other region seven nights and five weeks.
    expect(kept).toEqual([
      ['nightly', 35, 7],
      ['weekly', 7, 35],
    ]);
    const [selection] = ofType('AWS::Backup::BackupSelection');
    expect(referencesIn(selection?.Properties)).toContain(ofType('AWS::DynamoDB::GlobalTable')[0]?.logicalId);
    expect(readStack('dev').ofType('AWS::Backup::BackupPlan')).toEqual([]);
  });

  it.each(['dev', 'prod'] as const)('the table and the secrets of %s are encrypted with its own key', (stage) => {
    const stack = readStack(stage);
    const [key, ...others] = stack.ofType('AWS::KMS::Key');
    expect(others).toEqual([]);
    expect(key?.Properties.EnableKeyRotation).toBe(true);
    const [table] = stack.ofType('AWS::DynamoDB::GlobalTable');
    expect(table?.Properties).toMatchObject({ SSESpecification: { SSEEnabled: true, SSEType: 'KMS' } });
    const encrypted = [table, ...stack.ofType('AWS::SecretsManager::Secret')];
    for (const resource of encrypted) expect(referencesIn(resource?.Properties)).toContain(key?.logicalId);
    // Only through the services that encrypt for their callers, and only for callers of the account.
    const statements = JSON.stringify(key?.Properties.KeyPolicy).split('"Effect"');
    const open = statements.filter((statement) => /"Principal":\{"AWS":"\*"\}/.test(statement));
    expect(open).toHaveLength(1);
    expect(statements.find((statement) => statement.includes('kms:CallerAccount'))).toContain('kms:ViaService');
  });

  it('the stacks have one output per fact', () => {
    const outputs = readStack('prod')
      .stacks.filter(({ name }) => namesOf('prod').includes(name))
      .flatMap(({ template }) => Object.keys(template.Outputs));
    expect(outputs).toEqual([
      'TableName',
      'DataKeyArn',
      'BusName',
      'FormerSecretArn',
      'CursorSecretArn',
      'LinkSecretArn',
      'WebhookSecretArn',
      'StripeKeySecret',
      'StripeSigningSecret',
      'AppleWalletSecret',
      'GoogleWalletSecret',
      'ApiAddress',
      'SigningKeys',
      'SaleConcurrency',
      'DashboardName',
    ]);
  });

  it('the service stack has no export and imports none, so that a value of the state stack can change', () => {
    const text = JSON.stringify(readStack('prod').stacks.map(({ template }) => template));
    expect(text).not.toContain('Fn::ImportValue');
    expect(text).not.toContain('"Export"');
  });
});

/** Functions have their release in the environment, and versions and release alarms in their names or references. */
function comparable({ resources }: Synthesized): Map<string, unknown> {
  const withoutRelease = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replace(/"RELEASE":"[0-9a-f]{12}"/g, '"RELEASE":""')
        .replace(/CurrentVersion[0-9A-F]{8}[0-9a-f]{32}/g, 'CurrentVersion'),
    );
  return new Map([...resources].map(([id, resource]) => [String(withoutRelease(id)), withoutRelease(resource)]));
}

describe('nested stacks', () => {
  it('the functions of a tag are in the nested stack of the tag', () => {
    const stack = readStack('prod');
    for (const operation of operations) {
      const tag = operation.resource.replaceAll('-', '');
      const { logicalId } = stack.functionOf(operation);
      expect(logicalId.split('Operations/')[0]?.toLowerCase()).toBe(tag);
    }
  });

  it('a new operation moves and changes no other resource, except for the release of the functions', () => {
    const before = comparable(readStack('dev'));
    const after = comparable(readStack('probe'));
    // The routes change with the new one, and the invoke role and the dashboard may.
    const rest = [...before].filter(([id]) => !/^Api(Deployment)?[0-9A-F]{8}|InvokeRole|ApiDeployment/.test(id));
    expect(rest.length).toBeGreaterThan(250);
    for (const [id, resource] of rest) expect(after.get(id), id).toEqual(resource);
  });
});

longSuite('room for 150 operations', () => {
  /** Copies of the registry's operations. An operation is largest with a gradual release. */
  function grown(count: number, releasedGradually: boolean, resource?: Operation['resource']): Operation[] {
    return Array.from({ length: count }, (_, index) => {
      const original = operations[index % operations.length];
      if (original === undefined) throw new Error('The registry is empty.');
      const copy = Math.floor(index / operations.length);
      const [first, ...others] = original.paths.map((path) => path.replace(/^(\/v1)?\/([^/]+)/, `$1/$2-${copy}`));
      return {
        ...original,
        id: `${original.id}-${copy}`,
        resource: resource ?? original.resource,
        paths: [first ?? '/', ...others],
        runtime: { ...original.runtime, releasedGradually },
      };
    });
  }

  function synthesizeGrown(grownOperations: readonly Operation[]) {
    return withSmallStacks({ config: stageConfig('prod'), operations: grownOperations }, rehearsedStack);
  }

  it('150 operations, all with gradual releases, fit: every stack has a fifth of each limit free', {
    timeout: 120_000,
  }, () => {
    const stack = synthesizeGrown(grown(150, true));
    expect(stack.functions.length).toBeGreaterThan(150);
    expect(checkLimits(stack)).toEqual([]);
    const counts = stack.stacks.map(({ template }) => Object.keys(template.Resources).length);
    expect(Math.max(...counts)).toBeLessThan(400);
  });

  it('a tag with too many operations is reported, with what to do', { timeout: 120_000 }, () => {
    expect(checkLimits(synthesizeGrown(grown(45, true, 'events')))).toEqual([
      expect.stringMatching(
        /^The stack Gateline-prod-service-EventsOperations has \d+ of 500 resources .* Split it: operations by a new tag \(shared\/operations\/tags\.ts\)/,
      ),
    ]);
    expect(checkLimits(synthesizeGrown(grown(70, false, 'events')))).toEqual([
      expect.stringMatching(/^The policy of EventsOperations\/InvokeRole\w+ lists 70 functions, .* a new tag/),
    ]);
  });
});

describe('npm run destroy', () => {
  async function destroy(...args: string[]): Promise<{ exit: number; commands: string[] }> {
    const commands: string[] = [];
    const cdk = (command: readonly string[]) => {
      const isOption = (word: string, index: number) => word === '--app' || command[index - 1] === '--app';
      commands.push(command.filter((word, index) => !isOption(word, index)).join(' '));
      return 0;
    };
    const noAccount = () => Promise.reject(new Error('A destroyed stage asks nothing of the account.'));
    const tools = {
      cdk,
      readDeployed: noAccount,
      readAccount: noAccount,
      readRaised: () => ({}),
      createSigningKey: () => 0,
    };
    const exit = await deploy(['destroy', ...args], tools);
    return { exit, commands: commands.filter((command) => !command.startsWith('synth')) };
  }

  it('destroys both stacks of a stage without data', async () => {
    expect(await destroy('--stage', 'dev', '--', '--force')).toEqual({ exit: 0, commands: ['destroy --all --force'] });
  });

  it('refuses the state stack of a stage that keeps its data, and destroys its service stack on request', async () => {
    expect(await destroy('--stage', 'prod')).toEqual({ exit: 2, commands: [] });
    expect(await destroy('--stage', 'prod', '--service-only')).toEqual({
      exit: 0,
      commands: ['destroy Gateline-prod-service --exclusively'],
    });
  });
});
