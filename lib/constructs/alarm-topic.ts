import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopicSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Urgency } from '../alarm-urgency.ts';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';

const displayNames: Readonly<Record<Urgency, string>> = { page: 'alarms', ticket: 'tickets' };

/** A topic that alarms notify. Its subscriptions are confirmed by people, so it outlives the service. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { config, urgency }: { config: StageConfig; urgency: Urgency }) {
    super(scope, id, { displayName: `Gateline ${displayNames[urgency]} (${config.stage})`, enforceSSL: true });
    this.applyRemovalPolicy(removalPolicyOf(config));
    allowToPublish(this, 'cloudwatch.amazonaws.com', Stack.of(this).account);
    const { alarmReceivers, ticketReceivers } = config;
    // Until somebody else is named, those who are woken get the tickets too: no alarm goes unheard.
    const receivers = urgency === 'ticket' && ticketReceivers.length > 0 ? ticketReceivers : alarmReceivers;
    for (const receiver of receivers) this.addSubscription(subscriptionOf(receiver, config));
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
    `alarmReceivers or ticketReceivers of ${stage} in lib/stage-config.ts contains ${receiver}, which is neither a mail address nor an address that begins with https://.`,
  );
}
