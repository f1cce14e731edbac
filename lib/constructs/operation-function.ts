import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { tableAccess } from '../../shared/operations/grants.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { StageConfig } from '../stage-config.ts';
import { tableStatements } from './table-statements.ts';

export interface OperationFunctionProps {
  readonly operation: Operation;
  readonly code: string;
  readonly table: TableV2;
  readonly secret: Secret;
  readonly config: StageConfig;
}

const answering = { memorySize: 512, timeout: Duration.seconds(10) };

/** A streamed response goes on for as long as the client reads, and its pace is the processor's. */
const streaming = { memorySize: 1024, timeout: Duration.minutes(5) };

/** The Lambda of one operation, with a log and a role of its own that allows what the registry says and nothing else. */
export class OperationFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, { operation, code, table, secret, config }: OperationFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Log', {
      retention: config.logRetention,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const statements = tableStatements(tableAccess(operation), table);
    // Policies inside the role instead of beside it: one resource less per function towards CloudFormation's limit.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Log: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
          ],
        }),
        ...(statements.length > 0 && { Table: new PolicyDocument({ statements }) }),
        ...(operation.usesSecret && { Secret: readSecret(secret) }),
      },
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `${operation.id}: ${operation.summary}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(code),
      handler: 'index.handler',
      ...(operation.streamed ? streaming : answering),
      role,
      logGroup,
      environment: {
        TABLE_NAME: table.tableName,
        ...(operation.usesSecret && { SECRET_ARN: secret.secretArn }),
        POWERTOOLS_LOG_LEVEL: config.logLevel,
      },
    });
  }
}

function readSecret(secret: Secret): PolicyDocument {
  return new PolicyDocument({
    statements: [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] })],
  });
}
