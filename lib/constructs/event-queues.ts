import { Duration } from 'aws-cdk-lib';
import { type EventBus, Match, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventSource } from '../../shared/domain/webhooks/event-types.ts';
import { type FamilyQueueName, familyQueueNames, routedTypes, typesOf } from '../../shared/workers/queues.ts';
import type { Alarms } from './alarms.ts';

/** AWS asks for six times the consumer's timeout, so that a message cannot come again while it is still being handled. */
const visibilityTimeout = Duration.seconds(180);
const longestRetention = Duration.days(14);
/** A message that was tried this often fails because of us. */
const maxReceiveCount = 5;

/** The way of events from the bus: a rule, a queue and a dead-letter queue for each kind of news, and one for strays. */
export class EventQueues extends Construct {
  readonly queues: Readonly<Record<FamilyQueueName, Queue>>;

  constructor(scope: Construct, id: string, { bus, alarms }: { bus: EventBus; alarms: Alarms }) {
    super(scope, id);
    const route = (name: string, types: unknown[]): Queue => {
      const dead = new Queue(this, `${name}-dead`, { retentionPeriod: longestRetention, enforceSSL: true });
      const queue = new Queue(this, name, {
        visibilityTimeout,
        retentionPeriod: longestRetention,
        enforceSSL: true,
        deadLetterQueue: { queue: dead, maxReceiveCount },
      });
      new Rule(this, `${name}-rule`, {
        eventBus: bus,
        eventPattern: { source: [eventSource], detailType: types as string[] },
        targets: [new SqsQueue(queue, { deadLetterQueue: dead })],
      });
      alarms.onMessages(`${name}-dead`, dead, `Events of the queue ${name} were given up`);
      return queue;
    };
    const entries = familyQueueNames.map((name) => {
      const queue = route(name, typesOf(name));
      alarms.onAge(name, queue, `Events of the queue ${name} wait`);
      return [name, queue] as const;
    });
    this.queues = Object.fromEntries(entries) as Record<FamilyQueueName, Queue>;

    const strays = route('unrouted', Match.anythingBut(...routedTypes));
    alarms.onMessages('unrouted', strays, 'Events came that no rule sends anywhere');
  }
}
