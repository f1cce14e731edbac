import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { tableAccess } from '../../shared/operations/grants.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { StageConfig } from '../stage-config.ts';
import { GatelineFunction } from './gateline-function.ts';

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

/** The Lambda of one operation, which may do what the registry says. */
export class OperationFunction extends GatelineFunction {
  constructor(scope: Construct, id: string, { operation, code, table, secret, config }: OperationFunctionProps) {
    super(scope, id, {
      description: `${operation.id}: ${operation.summary}`,
      code,
      table,
      access: tableAccess(operation),
      grants: operation.usesSecret ? { Secret: [readSecret(secret)] } : {},
      environment: { TABLE_NAME: table.tableName, ...(operation.usesSecret && { SECRET_ARN: secret.secretArn }) },
      ...(operation.streamed ? streaming : answering),
      concurrency: operation.concurrency,
      config,
    });
  }
}

function readSecret(secret: Secret): PolicyStatement {
  return new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] });
}
