import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopicSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';

/** The topic that all alarms notify. Its subscriptions are confirmed by people, so it outlives the service. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { displayName: `Gateline alarms (${config.stage})`, enforceSSL: true });
    this.applyRemovalPolicy(removalPolicyOf(config));
    allowToPublish(this, 'cloudwatch.amazonaws.com', Stack.of(this).account);
    for (const receiver of config.alarmReceivers) this.addSubscription(subscriptionOf(receiver, config));
  }
}

/**
 * The policy that enforces TLS replaces the default one, which allows the account to publish. Without such a statement nothing of
 * the service reaches the topic.
 */
export function allowToPublish(topic: Topic, service: string, account: string): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(service)],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  );
}

function subscriptionOf(receiver: string, { stage }: StageConfig): ITopicSubscription {
  if (/^https:\/\/[^\s/]+/.test(receiver)) return new UrlSubscription(receiver);
  if (/^[^\s@]+@[^\s@]+$/.test(receiver)) return new EmailSubscription(receiver);
  throw new Error(
    `alarmReceivers of ${stage} in lib/stage-config.ts contains ${receiver}, which is neither a mail address nor an address that begins with https://.`,
  );
}
