import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';
import { outcomeMetric } from './outcome-metric.ts';

/** Far longer than anything waits when all is well, and short enough that receivers have not noticed yet. */
const tooOld = Duration.minutes(5);

export interface AlarmProps {
  readonly metric: IMetric;
  readonly threshold: number;
  /** How many minutes in a row; one unless the first minute may mend itself. */
  readonly minutes?: number;
  /** Who is hurt, and what to do first. */
  readonly description: string;
  /** The section of docs/runbook.md that says the rest. */
  readonly section: string;
}

/** The alarms of the stack, all to one topic. */
export class Alarms extends Construct {
  private readonly topic: Topic;

  constructor(scope: Construct, id: string, { alarmMail }: StageConfig) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { displayName: 'Gateline alarms', enforceSSL: true });
    if (alarmMail !== undefined) this.topic.addSubscription(new EmailSubscription(alarmMail));
  }

  raise(name: string, { metric, threshold, minutes = 1, description, section }: AlarmProps): Alarm {
    const alarm = new Alarm(this, name, {
      metric,
      threshold,
      evaluationPeriods: minutes,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${description} Runbook: docs/runbook.md#${section}`,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    return alarm;
  }

  /** For what functions count themselves (shared/platform/log.ts), each under its own name. */
  onOutcome(operation: string, outcome: string, props: Omit<AlarmProps, 'metric' | 'threshold'>): void {
    const name = outcome.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
    this.raise(`${operation}-${name}`, {
      ...props,
      metric: outcomeMetric(operation, outcome),
      threshold: 1,
    });
  }

  /** For queues that should be empty at all times. */
  onMessages(name: string, queue: Queue, what: string): void {
    this.raise(name, {
      metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: 1,
      description: `${what}: webhook receivers miss them for now. Nothing is lost: the rows are in the table and the sweeper sends them again. Read a message, mend the cause, then redrive the queue.`,
      section: 'messages-in-a-dead-letter-queue',
    });
  }

  /** For what a worker of the table's stream gave up on. */
  onUndone(name: string, queue: Queue): void {
    this.raise(name, {
      metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: 1,
      description:
        'A worker of the stream gave up on some changes; the message names it. publish-outbox: webhooks are late, nothing is lost, the sweeper sends them. follow-stock: the table was away for half an hour, so the sold_out of an event may be wrong until the next sale or change of one of its prices. Mend the cause, change a capacity there and back, empty the queue.',
      section: 'the-stream-gave-up',
    });
  }

  onAge(name: string, queue: Queue, what: string, age = tooOld): void {
    this.raise(`${name}-age`, {
      metric: queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: age.toSeconds(),
      description: `${what} for more than ${age.toMinutes()} minutes: webhooks arrive late. Look at the errors and the concurrency of the function that reads the queue.`,
      section: 'a-queue-grows-old',
    });
  }
}
