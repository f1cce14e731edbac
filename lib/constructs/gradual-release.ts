import { Duration, Validations } from 'aws-cdk-lib';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Operation } from '../../shared/operations/operation.ts';
import type { Alarms } from './alarms.ts';
import { errorsAnd, outcomeMetric } from './outcome-metric.ts';

export interface GradualReleaseProps {
  readonly operation: Operation;
  readonly lambda: LambdaFunction;
  readonly alarms: Alarms;
}

/**
 * A function whose new version gets a tenth of the requests for five minutes, and all of them if none failed. CloudFormation's
 * limit of resources forbids it for every function, so it is for those that sell, admit and enrol.
 */
export class GradualRelease extends Construct {
  readonly alias: Alias;

  constructor(scope: Construct, id: string, { operation, lambda, alarms }: GradualReleaseProps) {
    super(scope, id);
    this.alias = lambda.addAlias('live');
    const alarm = alarms.raise(`${id}-release`, {
      // A request that fails is answered with a 500, so Lambda sees no error in it.
      metric: errorsAnd(
        this.alias.metricErrors({ period: Duration.minutes(1), statistic: 'Sum' }),
        outcomeMetric(operation.id, 'Failed'),
      ),
      threshold: 1,
      section: 'a-release-was-rolled-back',
      description: `A new version of ${id} failed on its first requests and was rolled back: some callers got a 500. Read its log before releasing again.`,
    });
    const group = new LambdaDeploymentGroup(this, 'Release', {
      alias: this.alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [alarm],
    });
    Validations.of(group).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'The role by which CodeDeploy moves traffic is the one that AWS keeps for that.',
    });
  }
}
