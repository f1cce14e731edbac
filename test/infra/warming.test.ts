import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { isDeployedWith } from '../../shared/workers/worker.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const prod = readStack('prod');
const dev = readStack('dev');
const answering = [
  ...operations,
  ...workers.filter((worker) => worker.source.kind === 'route' && isDeployedWith(worker, 'stripe')),
];

describe('warming', () => {
  it('before a release gets requests, its version of every function that answers them is called once', () => {
    const warmed = prod.ofType('Custom::WarmedVersions');
    const aliases = prod.ofType('AWS::Lambda::Alias');
    for (const entry of answering) {
      const { logicalId } = prod.functionOf(entry);
      const alias = aliases.find(({ Properties }) => referencesIn(Properties.FunctionName).includes(logicalId));
      const [version = ''] = referencesIn(alias?.Properties.FunctionVersion);
      const resource = warmed.find(({ Properties }) => referencesIn(Properties.Versions).includes(version));
      expect(resource?.logicalId, entry.id).toBeDefined();
      expect(alias?.DependsOn, entry.id).toContain(resource?.logicalId);
    }
    const warmer = prod.functionOf({ id: 'warm-functions' }).logicalId;
    for (const { Properties } of warmed) expect(referencesIn(Properties.ServiceToken)).toEqual([warmer]);
  });

  it('only warm-functions may invoke functions by their names, and only those of its own stage', () => {
    const invoking = prod.ofType('AWS::IAM::Role').flatMap(({ logicalId, Properties }) => {
      const text = JSON.stringify(Properties.Policies ?? []);
      return text.includes('lambda:InvokeFunction') && text.includes('*') ? [{ logicalId, text }] : [];
    });
    expect(invoking.map(({ logicalId }) => logicalId)).toEqual([expect.stringMatching(/warmfunctionsRole/)]);
    expect(invoking[0]?.text).toContain('function:Gateline-prod-service-*');
    expect(prod.functionOf({ id: 'warm-functions' }).Properties.Environment).toMatchObject({
      Variables: { WARMED_FUNCTIONS: 'Gateline-prod-service-' },
    });
  });

  it('a stage without the protection of production keeps nothing warm', () => {
    expect(dev.ofType('Custom::WarmedVersions')).toEqual([]);
    expect(dev.functionOf({ id: 'warm-functions' }).Properties.Environment).toMatchObject({
      Variables: { WARMED_FUNCTIONS: 'none' },
    });
    expect(JSON.stringify(dev.ofType('AWS::IAM::Role'))).not.toContain('lambda:ListFunctions');
  });
});
