import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type DeliveryQueueName, deliveryQueueNames } from '../../shared/domain/webhooks/queues.ts';
import type { Alarms } from './alarms.ts';

/** Six times what the slowest consumer may take, as AWS asks; due hints are quicker than that in any case. */
const visibilityTimeout = Duration.seconds(360);
const longestRetention = Duration.days(14);
const maxReceiveCount = 5;

/** Where functions find each queue (shared/platform/env.ts). */
const variables: Readonly<Record<DeliveryQueueName, string>> = {
  deliveries: 'DELIVERIES_URL',
  retries: 'RETRIES_URL',
  backlogs: 'BACKLOGS_URL',
};

/** The queues of what is on its way to endpoints. A receiver's faults never end in their dead-letter queue, only ours. */
export class DeliveryQueues extends Construct {
  readonly queues: Readonly<Record<DeliveryQueueName, Queue>>;

  constructor(scope: Construct, id: string, alarms: Alarms) {
    super(scope, id);
    const dead = new Queue(this, 'dead', { retentionPeriod: longestRetention, enforceSSL: true });
    alarms.onMessages('deliveries-dead', dead, 'Messages about deliveries were given up');
    const entries = deliveryQueueNames.map((name) => {
      const queue = new Queue(this, name, {
        visibilityTimeout,
        retentionPeriod: longestRetention,
        enforceSSL: true,
        deadLetterQueue: { queue: dead, maxReceiveCount },
      });
      return [name, queue] as const;
    });
    this.queues = Object.fromEntries(entries) as Record<DeliveryQueueName, Queue>;
    alarms.onAge('deliveries', this.queues.deliveries, 'Deliveries wait');
    // Messages of these two are delayed on purpose, by a quarter of an hour at most.
    alarms.onAge('retries', this.queues.retries, 'Repeated deliveries wait', Duration.minutes(30));
    alarms.onAge('backlogs', this.queues.backlogs, 'Webhook backlogs wait', Duration.minutes(30));
    alarmOnEndpoints(alarms);
  }

  grants(names: readonly DeliveryQueueName[]): Record<string, PolicyStatement[]> {
    if (names.length === 0) return {};
    const resources = names.map((name) => this.queues[name].queueArn);
    return { Send: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources })] };
  }

  environment(names: readonly DeliveryQueueName[]): Record<string, string> {
    return Object.fromEntries(names.map((name) => [variables[name], this.queues[name].queueUrl]));
  }
}

/** Who delivers counts what it disabled (shared/webhooks/metrics.ts). */
function alarmOnEndpoints(alarms: Alarms): void {
  for (const operation of ['deliver-webhook', 'drain-webhook-backlog']) {
    alarms.onOutcome(operation, 'EndpointDisabled', {
      description:
        'A webhook endpoint was disabled: it answered 410, or nothing but failures for five days. Its organisation was told by webhook_endpoint.disabled; see that somebody there has read it.',
      section: 'an-endpoint-was-disabled',
    });
  }
}
