import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { combineAccess, type TableAccess } from '../../shared/domain/table-access.ts';
import type { Bundle } from '../bundle.ts';
import { reservedConcurrency } from '../concurrency-plan.ts';
import { accessTexts, retiredAccess, retiredMetadata } from '../retired-grants.ts';
import { stageAccess } from '../stage-access.ts';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';
import { tableStatements } from './table-statements.ts';

export interface GatelineFunctionProps {
  readonly description: string;
  readonly code: Bundle;
  readonly table: ITableV2;
  readonly access: TableAccess;
  /** Further IAM statements, each under the name of its policy. */
  readonly grants: Readonly<Record<string, readonly PolicyStatement[]>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly memorySize: number;
  readonly timeout: Duration;
  /** The full reserved concurrency on a guarded stage; undefined for none. */
  readonly concurrency?: number | undefined;
  /** Grants that the next release may lose, in the words of the rehearsal (`Policy: action`). */
  readonly retiredGrants?: readonly string[];
  readonly config: StageConfig;
}

/** A Lambda function with its own log group, and its own role that allows nothing but the given grants. */
export class GatelineFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: GatelineFunctionProps) {
    super(scope, id);
    const { config, code, table, environment } = props;
    const retired = retiredAccess(id);
    const reserved = reservedConcurrency(config, id, props.concurrency);
    const access = stageAccess(config, combineAccess([props.access, retired]));
    const logGroup = new LogGroup(this, 'Log', {
      retention: config.logRetention,
      removalPolicy: removalPolicyOf(config),
    });
    const writeLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const grants = { Log: [writeLog], Table: tableStatements(access, table), ...props.grants };
    // Inline policies save one resource per function, which counts towards CloudFormation's limit.
    const inlinePolicies = Object.entries(grants)
      .filter(([, statements]) => statements.length > 0)
      .map(([name, statements]) => [name, new PolicyDocument({ statements: [...statements] })]);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: Object.fromEntries(inlinePolicies),
    });
    const roleResource = role.node.defaultChild;
    const retiredTexts = [...accessTexts(retired), ...(props.retiredGrants ?? [])];
    if (roleResource instanceof CfnRole && retiredTexts.length > 0)
      roleResource.addMetadata(retiredMetadata, retiredTexts);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(code.folder),
      handler: code.handler,
      memorySize: props.memorySize,
      timeout: props.timeout,
      role,
      logGroup,
      // Without START, END and REPORT of every invocation, a third of a request's log. A function that crashes or runs out of time is a warning.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      environment: { ...environment, STAGE: config.stage, RELEASE: code.release },
      // A rollback needs the versions of earlier releases. Those of a deployment that failed are deleted.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
  }
}

export function readSecret(secretArn: string): PolicyStatement {
  return new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] });
}
