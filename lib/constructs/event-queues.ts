import { Duration } from 'aws-cdk-lib';
import { type IEventBus, Match, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { passEventTypes } from '../../shared/domain/wallets/pass-changes.ts';
import { eventSource } from '../../shared/domain/webhooks/event-types.ts';
import { type BusQueueName, eventTypesOf, familyQueueNames, routedTypes } from '../../shared/workers/queues.ts';
import { workers } from '../../shared/workers/registry.ts';
import type { Alarms } from './alarms.ts';

/** AWS recommends six times the consumer's timeout, so a message is not delivered again while it is being handled. */
function visibilityTimeout(queue: string): Duration {
  const consumer = workers.find(({ source }) => source.kind === 'queue' && source.queue === queue);
  return Duration.seconds(6 * (consumer?.runtime.timeoutSeconds ?? 30));
}
const longestRetention = Duration.days(14);
/** A message that fails this often fails because of a fault in the service. */
const maxReceiveCount = 5;

/** A refunded match of 30,000 tickets is 25 minutes of requests to Google, which is normal. */
const latePasses = {
  age: Duration.minutes(60),
  impact:
    'Phones with an Apple or Google pass show a former time, seat or name; gates decide by the barcode, so nobody is refused. Read the log of push-pass-changes: Apple or Google refuses us, or a very large change is under way.',
};

/** Routes events from the bus: a rule, a queue and a dead-letter queue for each group of event types, for passes and for unknown types. */
export class EventQueues extends Construct {
  readonly queues: Readonly<Record<BusQueueName, Queue>>;

  constructor(scope: Construct, id: string, { bus, alarms }: { bus: IEventBus; alarms: Alarms }) {
    super(scope, id);
    const route = (name: string, types: unknown[]): Queue => {
      const dead = new Queue(this, `${name}-dead`, { retentionPeriod: longestRetention, enforceSSL: true });
      const queue = new Queue(this, name, {
        visibilityTimeout: visibilityTimeout(name),
        retentionPeriod: longestRetention,
        enforceSSL: true,
        deadLetterQueue: { queue: dead, maxReceiveCount },
      });
      new Rule(this, `${name}-rule`, {
        eventBus: bus,
        eventPattern: { source: [eventSource], detailType: types as string[] },
        targets: [new SqsQueue(queue, { deadLetterQueue: dead })],
      });
      alarms.onMessages(`${name}-dead`, dead, `Events in the queue ${name} failed five times`);
      return queue;
    };
    const watched = (name: BusQueueName, types: string[], age?: Parameters<Alarms['onAge']>[3]) => {
      const queue = route(name, types);
      alarms.onAge(name, queue, `Events have waited in the queue ${name}`, age);
      return [name, queue] as const;
    };
    const entries = [
      ...familyQueueNames.map((name) => watched(name, eventTypesOf(name))),
      watched('passes', [...passEventTypes], latePasses),
    ];
    this.queues = Object.fromEntries(entries) as Record<BusQueueName, Queue>;

    const strays = route('unrouted', Match.anythingBut(...routedTypes));
    alarms.onMessages('unrouted', strays, 'The bus received events of a type that no rule routes');
  }
}
