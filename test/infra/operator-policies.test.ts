import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { operatorRoles } from '../../lib/operator-access.ts';
import { readStack } from '../support/template.ts';

const Statement = v.looseObject({ Action: v.union([v.string(), v.array(v.string())]), Resource: v.unknown() });
const Policy = v.looseObject({
  ManagedPolicyName: v.unknown(),
  PolicyDocument: v.looseObject({ Statement: v.array(Statement) }),
});

const policies = readStack('prod')
  .ofType('AWS::IAM::ManagedPolicy')
  .map(({ Properties }) => v.parse(Policy, Properties));
const policyOf = (role: string) => {
  const found = policies.find(({ ManagedPolicyName }) =>
    JSON.stringify(ManagedPolicyName).includes(`gateline-prod-${role}-`),
  );
  if (found === undefined) throw new Error(`There is no policy for ${role}.`);
  return found;
};
const actionsOf = (role: string): string[] => policyOf(role).PolicyDocument.Statement.flatMap(({ Action }) => Action);

describe('managed policies of operators', () => {
  it('there is one for each role, whose name is free in the other region, and within the size that IAM allows', () => {
    expect(policies).toHaveLength(operatorRoles.length);
    for (const role of operatorRoles) {
      const { ManagedPolicyName, PolicyDocument } = policyOf(role);
      expect(JSON.stringify(ManagedPolicyName)).toContain('AWS::Region');
      // IAM allows 6,144 characters, and names of resources take more than references to them.
      expect(JSON.stringify(PolicyDocument).length).toBeLessThan(5_500);
    }
  });

  it('only deploy reaches a secret or changes a function, and nobody scans the table', () => {
    for (const role of ['read', 'support', 'finance'])
      expect(actionsOf(role).filter((action) => /^(secretsmanager|lambda|sts):/.test(action))).toEqual([]);
    expect(actionsOf('deploy')).toContain('secretsmanager:UpdateSecret');
    for (const role of operatorRoles) expect(actionsOf(role).join()).not.toMatch(/Scan|PartiQL|\*/);
  });

  it('read changes nothing', () => {
    const reading = /^(cloudformation|cloudwatch|dynamodb|logs):(Batch|Describe|Filter|Get|List|Query|Start)/;
    expect(actionsOf('read').filter((action) => !reading.test(action))).toEqual([]);
    expect(actionsOf('read')).not.toContain('dynamodb:BatchWriteItem');
  });
});
