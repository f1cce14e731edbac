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
 * A canary release: a new version gets a tenth of the requests for five minutes, then all of them if no request failed.
 * CloudFormation's resource limit rules it out for every function, so only checkout, gate and enrolment have it.
 */
export class GradualRelease extends Construct {
  readonly alias: Alias;

  constructor(scope: Construct, id: string, { operation, lambda, alarms }: GradualReleaseProps) {
    super(scope, id);
    this.alias = lambda.addAlias('live');
    const alarm = alarms.raise(`${id}-release`, {
      // A failed request returns a 500 response, which Lambda does not count as an error.
      metric: errorsAnd(
        this.alias.metricErrors({ period: Duration.minutes(1), statistic: 'Sum' }),
        outcomeMetric(alarms.stage, operation.id, 'Failed'),
      ),
      threshold: 1,
      section: 'a-release-was-rolled-back',
      description: `A new version of ${id} failed on its first requests and was rolled back. Some callers got a 500 response. Read its log before you deploy again.`,
    });
    const group = new LambdaDeploymentGroup(this, 'Release', {
      alias: this.alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [alarm],
    });
    Validations.of(group).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason:
        'CodeDeploy requires a service role to shift traffic. AWS maintains this managed policy for that purpose and limits it to Lambda deployments.',
    });
  }
}
