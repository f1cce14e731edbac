import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type DeliveryQueueName, deliveryQueueNames } from '../../shared/domain/webhooks/queues.ts';
import type { Alarms } from './alarms.ts';

/** AWS recommends six times the timeout of the slowest consumer. The hints of the sweeper are due earlier than that. */
const visibilityTimeout = Duration.seconds(360);
const longestRetention = Duration.days(14);
const maxReceiveCount = 5;

/** The environment variable with the URL of each queue (shared/platform/env.ts). */
const variables: Readonly<Record<DeliveryQueueName, string>> = {
  deliveries: 'DELIVERIES_URL',
  retries: 'RETRIES_URL',
  backlogs: 'BACKLOGS_URL',
};

/** The queues of webhook deliveries. Only faults of the service fill their dead-letter queue, never failures of a receiver. */
export class DeliveryQueues extends Construct {
  readonly queues: Readonly<Record<DeliveryQueueName, Queue>>;

  constructor(scope: Construct, id: string, alarms: Alarms) {
    super(scope, id);
    const dead = new Queue(this, 'dead', { retentionPeriod: longestRetention, enforceSSL: true });
    alarms.onMessages('deliveries-dead', dead, 'Delivery messages failed five times');
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
    alarms.onAge('deliveries', this.queues.deliveries, 'Deliveries have waited in their queue');
    // Messages in these two queues have an intended delay of up to 15 minutes.
    const age = Duration.minutes(30);
    alarms.onAge('retries', this.queues.retries, 'Retries of deliveries have waited in their queue', { age });
    alarms.onAge('backlogs', this.queues.backlogs, 'Backlogs of endpoints have waited in their queue', { age });
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

/** The delivering functions count the endpoints that they disable (shared/webhooks/metrics.ts). */
function alarmOnEndpoints(alarms: Alarms): void {
  for (const operation of ['deliver-webhook', 'drain-webhook-backlog']) {
    alarms.onOutcome(operation, 'EndpointDisabled', {
      description:
        'A webhook endpoint was disabled because it returned 410 or failed for five days. Its organisation gets no more events there. The service sent webhook_endpoint.disabled to its other endpoints; contact the organisation.',
      section: 'an-endpoint-was-disabled',
    });
  }
}
