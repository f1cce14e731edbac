import { ArnFormat, Aws, Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type OperatorRole, operatorAccess, operatorRoles } from '../operator-access.ts';
import { tableStatements } from './table-statements.ts';

interface OperatorPoliciesProps {
  readonly stage: string;
  /** The ARN of the table in use. */
  readonly tableArn: string;
  /** The secrets of the stack, which only `deploy` may store. */
  readonly secretArns: readonly string[];
}

const manyResources =
  'An operator looks at every function, log and alarm of the stage, and names have endings that only CloudFormation knows.';

/** Managed policies for the roles of the people who use the CLI. Nobody has one until an administrator attaches it (docs/operating.md). */
export class OperatorPolicies extends Construct {
  constructor(scope: Construct, id: string, props: OperatorPoliciesProps) {
    super(scope, id);
    for (const role of operatorRoles) {
      const policy = new ManagedPolicy(this, role, {
        // IAM is global: after the loss of a region, the stack of the other one makes its own.
        managedPolicyName: `gateline-${props.stage}-${role}-${Aws.REGION}`,
        description: `Gateline (${props.stage}): ${purposes[role]}`,
        statements: [
          ...tableStatements(operatorAccess(role), props),
          ...this.#look(props),
          ...(role === 'deploy' ? this.#deploy(props) : []),
        ],
      });
      for (const resource of wildcardsOf(role, props.stage))
        Validations.of(policy).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason: manyResources });
    }
  }

  #arn(service: string, resource: string, resourceName: string): string {
    const arnFormat = service === 'cloudformation' ? ArnFormat.SLASH_RESOURCE_NAME : ArnFormat.COLON_RESOURCE_NAME;
    return Stack.of(this).formatArn({ service, resource, resourceName, arnFormat });
  }

  /** What every operator needs to find a stage and to see how it is. */
  #look({ stage, tableArn }: OperatorPoliciesProps): PolicyStatement[] {
    return [
      allow(
        ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
        this.#arn('cloudformation', 'stack', `Gateline-${stage}-*`),
      ),
      allow(['dynamodb:DescribeTable'], tableArn),
      allow(
        ['logs:StartQuery', 'logs:FilterLogEvents', 'logs:GetLogEvents'],
        this.#arn('logs', 'log-group', `Gateline-${stage}-*`),
      ),
      allow(
        [
          'cloudwatch:DescribeAlarms',
          'cloudwatch:GetDashboard',
          'cloudwatch:GetMetricData',
          'logs:DescribeLogGroups',
          'logs:GetQueryResults',
        ],
        '*',
      ),
    ];
  }

  /** The CDK deploys with the roles of its bootstrap, which trust the account. */
  #deploy({ stage, tableArn, secretArns }: OperatorPoliciesProps): PolicyStatement[] {
    const bootstrapRole = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/cdk-*-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
    return [
      allow(['sts:AssumeRole'], bootstrapRole),
      allow(['cloudformation:GetTemplate'], this.#arn('cloudformation', 'stack', `Gateline-${stage}-*`)),
      allow(['lambda:GetAccountSettings', 'dynamodb:DescribeLimits'], '*'),
      allow(
        [
          'lambda:GetFunction',
          'lambda:ListVersionsByFunction',
          // `storefront sale` reserves concurrency, and marks what it has raised.
          'lambda:PutFunctionConcurrency',
          'lambda:TagResource',
          'lambda:UntagResource',
          'lambda:UpdateAlias',
        ],
        this.#arn('lambda', 'function', `Gateline-${stage}-*`),
      ),
      allow(['dynamodb:UpdateTable', 'dynamodb:TagResource'], tableArn),
      allow(
        [
          'secretsmanager:CreateSecret',
          'secretsmanager:DescribeSecret',
          'secretsmanager:GetSecretValue',
          'secretsmanager:PutSecretValue',
          'secretsmanager:UpdateSecret',
        ],
        this.#arn('secretsmanager', 'secret', `gateline/${stage}/*`),
      ),
      allow(
        ['secretsmanager:DescribeSecret', 'secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
        ...secretArns,
      ),
    ];
  }
}

const purposes: Readonly<Record<OperatorRole, string>> = {
  read: 'reads everything that the CLI shows, logs and alarms; changes nothing',
  support: 'helps buyers and members: catalogue, members, customers, orders without money; no keys',
  finance: 'what support does, and refunds; no keys',
  deploy: 'deploys and rolls back, issues keys, stores secrets, and does everything that the CLI can',
};

/** The resources with a wildcard, in the words of cdk-nag. */
function wildcardsOf(role: OperatorRole, stage: string): string[] {
  const inRegion = (service: string, resource: string) =>
    `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${resource}`;
  const looked = [
    '*',
    inRegion('cloudformation', `stack/Gateline-${stage}-*`),
    inRegion('logs', `log-group:Gateline-${stage}-*`),
  ];
  if (role !== 'deploy') return looked;
  return [
    ...looked,
    inRegion('lambda', `function:Gateline-${stage}-*`),
    inRegion('secretsmanager', `secret:gateline/${stage}/*`),
    'arn:<AWS::Partition>:iam::<AWS::AccountId>:role/cdk-*-<AWS::AccountId>-<AWS::Region>',
  ];
}

const allow = (actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources });
