import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';

/** The topic that all alarms notify. Its subscriptions are confirmed by people, so it outlives the service. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { displayName: `Gateline alarms (${config.stage})`, enforceSSL: true });
    this.applyRemovalPolicy(removalPolicyOf(config));
    // The policy that enforces TLS replaces the default one, which allows the account to publish. Without this statement no
    // alarm reaches the topic.
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (config.alarmMail !== undefined) this.addSubscription(new EmailSubscription(config.alarmMail));
  }
}
