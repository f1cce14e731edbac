import { Duration, Validations } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { type Alias, CfnAlias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Operation } from '../../shared/operations/operation.ts';
import type { Alarms } from './alarms.ts';

export interface GradualReleaseProps {
  readonly operation: Operation;
  readonly lambda: LambdaFunction;
  readonly alias: Alias;
  readonly alarms: Alarms;
  /** Whether the alias moves at once and the alarms stop nothing. */
  readonly isEmergency: boolean;
}

const period = Duration.minutes(1);
/** The share of failed requests, in percent, that ends a release. A single failure in a hundred requests a minute is enough. */
const maxFailedPercent = 1;

/**
 * A canary release: a new version gets a tenth of the requests for five minutes, then all of them if hardly any request failed.
 * Every other function is replaced at once, and `npm run rollback` is its way back: a canary for each would add an application,
 * a group and two alarms per function, and five minutes to every deployment.
 */
export class GradualRelease extends Construct {
  constructor(scope: Construct, id: string, props: GradualReleaseProps) {
    super(scope, id);
    const { operation, lambda, alias, alarms, isEmergency } = props;
    const text = {
      threshold: maxFailedPercent,
      section: 'a-release-was-rolled-back',
      description: `A new version of ${operation.id} failed on its first requests and was rolled back. Some callers got a 500 response. Read its log before you deploy again.`,
    };
    const releaseAlarms = [
      alarms.raise(`${id}-crashes`, { ...text, metric: crashedPercent(lambda, alias) }),
      alarms.raise(`${id}-failures`, { ...text, metric: failedPercent(operation, lambda, alarms.stage) }),
    ];
    const group = new LambdaDeploymentGroup(this, 'Release', {
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: releaseAlarms,
    });
    const resource = alias.node.defaultChild;
    if (!(resource instanceof CfnAlias)) throw new Error(`The alias of ${operation.id} has no resource.`);
    // The alarms must watch the new version before it gets its first request.
    for (const alarm of releaseAlarms) resource.node.addDependency(alarm);
    // Without the policy, CloudFormation moves the alias itself, and neither CodeDeploy nor an alarm can stop it.
    if (isEmergency) delete resource.cfnOptions.updatePolicy;
    Validations.of(group).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason:
        'CodeDeploy requires a service role to shift traffic. AWS maintains this managed policy for that purpose and limits it to Lambda deployments.',
    });
  }
}

/** The share of crashes and timeouts among the invocations of the new version. Both metrics have a point for every invocation. */
function crashedPercent(lambda: LambdaFunction, alias: Alias): MathExpression {
  const dimensionsMap = {
    FunctionName: lambda.functionName,
    Resource: `${lambda.functionName}:${alias.aliasName}`,
    ExecutedVersion: lambda.currentVersion.version,
  };
  const ofVersion = (metricName: string) =>
    new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic: 'Sum', period });
  return new MathExpression({
    expression: '100 * errors / invocations',
    usingMetrics: { errors: ofVersion('Errors'), invocations: ofVersion('Invocations') },
    period,
  });
}

/**
 * The share of 500 responses among the requests of the new version. Lambda counts such a request as a success, so the function
 * publishes a 1 or a 0 for every request (shared/platform/log.ts).
 */
function failedPercent({ id }: Operation, { currentVersion }: LambdaFunction, stage: string): MathExpression {
  const failed = new Metric({
    namespace: 'Gateline',
    metricName: 'ReleaseFailed',
    dimensionsMap: { stage, operation: id, version: currentVersion.version },
    statistic: 'Average',
    period,
  });
  return new MathExpression({ expression: '100 * failed', usingMetrics: { failed }, period });
}
