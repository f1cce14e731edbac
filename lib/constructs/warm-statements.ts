import { Aws, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';

/** The names of functions begin with that of their stack, and those of nested stacks with that of the service stack. */
export const functionPrefix = ({ stage }: StageConfig): string => `Gateline-${stage}-service-`;

/** One policy by the names of the functions: a list of them would be longer than a policy may be. Only Lambda's own list names them. */
export function warmStatements(config: StageConfig): PolicyStatement[] {
  const named = `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${functionPrefix(config)}*`;
  return [
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [named] }),
    new PolicyStatement({ actions: ['lambda:ListFunctions'], resources: ['*'] }),
  ];
}

export function acknowledgeNames(scope: Construct, config: StageConfig): void {
  const named = `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${functionPrefix(config)}*`;
  Validations.of(scope).acknowledge(
    {
      id: `AwsSolutions-IAM5[Resource::${named}]`,
      reason: 'It may invoke every function of its own stage. A list of them would exceed the size of a policy.',
    },
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'lambda:ListFunctions has no resource level. It shows names only.',
    },
  );
}
