import { describe, expect, it } from 'vitest';
import { stageConfig } from '../../lib/stage-config.ts';
import { certificateOf, stageRegion } from '../../lib/stage-region.ts';
import { ownSettings } from '../support/assemblies.ts';
import { onlyHealth, withSmallStacks } from '../support/synthesize-small.ts';
import { readStack, readStacks } from '../support/template.ts';

describe('regions of a stage', () => {
  const prod = stageConfig('prod');

  it('cdk synth refuses a region for the copies that does not exist, or that is the region of the stage', () => {
    const copiesIn = (region: string, backupCopyRegion: string) => () =>
      stageRegion({ ...prod, region, backupCopyRegion }, undefined);
    expect(copiesIn('eu-west-1', 'ap-southeast-99')).toThrow(
      'backupCopyRegion in lib/stage-config.ts is ap-southeast-99, which is not a region of AWS that the CDK knows.',
    );
    expect(copiesIn('eu-west-1', 'eu-west-1')).toThrow(
      'backupCopyRegion in lib/stage-config.ts is eu-west-1, the region of the stage.',
    );
    expect(copiesIn('eu-west-1', 'cn-north-1')).toThrow('in another partition of AWS than eu-west-1.');
    expect(copiesIn('eu-west-1', 'eu-central-1')).not.toThrow();
  });

  it('prod is deployed to its region, and after a loss to that of its copies, and nowhere else', () => {
    expect(stageRegion(prod, 'ap-southeast-2')).toEqual({ copies: 'ap-southeast-4', isRecovery: false });
    expect(stageRegion(prod, undefined)).toEqual(stageRegion(prod, 'ap-southeast-2'));
    expect(stageRegion(prod, 'ap-southeast-4')).toEqual({ copies: undefined, isRecovery: true });
    expect(() => stageRegion(prod, 'us-east-1')).toThrow(
      'prod would be deployed to us-east-1. lib/stage-config.ts sets its region to ap-southeast-2',
    );
    expect(stageRegion(stageConfig('dev'), 'us-east-1')).toEqual({ copies: undefined, isRecovery: false });
  });

  it('a domain needs a certificate in the region of the stage and in that of the copies', () => {
    const config = { ...prod, ...ownSettings };
    expect(certificateOf(config, { isRecovery: false })).toContain(':acm:ap-southeast-2:');
    expect(certificateOf(config, { isRecovery: true })).toContain(':acm:ap-southeast-4:');
    const { certificateArns } = ownSettings.domain;
    const domain = { ...ownSettings.domain, certificateArns: certificateArns.slice(0, 1) };
    expect(() => certificateOf({ ...config, domain }, { isRecovery: false })).toThrow(
      'domain.certificateArns of prod in lib/stage-config.ts has no certificate of ap-southeast-4.',
    );
  });
});

describe('stage in the region of its copies', () => {
  it('a stage whose region is lost keeps backups without copies, and takes no requests until an operator sends them', () => {
    const config = { ...stageConfig('prod'), ...ownSettings };
    const props = { config, operations: onlyHealth, deployRegion: 'ap-southeast-4' };
    const stacks = withSmallStacks(props, readStacks);
    const plan = JSON.stringify(stacks.ofType('AWS::Backup::BackupPlan').map(({ Properties }) => Properties));
    expect(plan).toContain('"RuleName":"nightly"');
    expect(plan).not.toContain('CopyActions');
    expect(stacks.ofType('AWS::Route53::RecordSet').map(({ Properties }) => Properties.Weight)).toEqual([0, 0]);
    expect(JSON.stringify(stacks.ofType('AWS::ApiGateway::DomainName'))).toContain(':acm:ap-southeast-4:');
    for (const { Properties } of stacks.ofType('AWS::SecretsManager::Secret'))
      expect(Properties.ReplicaRegions).toBeUndefined();
  });
});

describe('secrets and roles for a loss of the region', () => {
  const { ofType } = readStack('prod');

  it('every secret of prod is replicated to the region of the copies, and no secret of dev is', () => {
    const secrets = ofType('AWS::SecretsManager::Secret');
    expect(secrets.length).toBeGreaterThan(1);
    for (const { Properties } of secrets) expect(Properties.ReplicaRegions).toEqual([{ Region: 'ap-southeast-4' }]);
    expect(JSON.stringify(readStack('dev').ofType('AWS::SecretsManager::Secret'))).not.toContain('ReplicaRegions');
  });

  it('prod has a role with which AWS Backup restores a table in any region', () => {
    const roles = ofType('AWS::IAM::Role').filter(({ Properties }) =>
      JSON.stringify(Properties.ManagedPolicyArns ?? []).includes('AWSBackupServiceRolePolicyForRestores'),
    );
    expect(roles.map(({ Properties }) => Properties.AssumeRolePolicyDocument)).toMatchObject([
      { Statement: [{ Principal: { Service: 'backup.amazonaws.com' } }] },
    ]);
  });
});
