import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { outcomeMetric } from './outcome-metric.ts';

/** Well above the normal age of a message, and short enough to act before receivers notice. */
const tooOld = Duration.minutes(5);

export interface AlarmProps {
  readonly metric: IMetric;
  readonly threshold: number;
  /** The number of consecutive minutes; more than one where a single bad minute may recover without help. */
  readonly minutes?: number;
  /** The impact (who is affected and how), and the first thing to do. */
  readonly description: string;
  /** The section of docs/runbook.md with the details. */
  readonly section: string;
}

/** Alarms of one stack. All notify one topic. */
export class Alarms extends Construct {
  private readonly topic: ITopic;

  constructor(scope: Construct, id: string, topic: ITopic) {
    super(scope, id);
    this.topic = topic;
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
    alarm.addOkAction(new SnsAction(this.topic));
    return alarm;
  }

  /** For a metric that functions publish (shared/platform/log.ts). */
  onOutcome(operation: string, outcome: string, props: Omit<AlarmProps, 'metric' | 'threshold'>): void {
    const name = outcome.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
    this.raise(`${operation}-${name}`, {
      ...props,
      metric: outcomeMetric(operation, outcome),
      threshold: 1,
    });
  }

  /** For queues that should always be empty. */
  onMessages(name: string, queue: Queue, what: string): void {
    this.raise(name, {
      metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: 1,
      description: `${what}. Webhook receivers get these events late. No event is lost: the rows are in the table and the sweeper sends them again. Read a message, fix the cause, then redrive the queue.`,
      section: 'messages-in-a-dead-letter-queue',
    });
  }

  /** For batches of the table's stream that a worker failed to process. */
  onFailedBatches(name: string, queue: Queue): void {
    this.raise(name, {
      metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: 1,
      description:
        'A stream worker gave up on a batch; the message contains its name. publish-outbox: webhooks are late, and the sweeper sends them. follow-stock: the table was unavailable for half an hour, so sold_out of an event may be wrong until its next sale or price change. Fix the cause, change a capacity and change it back, then purge the queue. apply-position-changes: later pages of lists cost more until the next change.',
      section: 'the-stream-gave-up',
    });
  }

  onAge(name: string, queue: Queue, what: string, age = tooOld): void {
    this.raise(`${name}-age`, {
      metric: queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: age.toSeconds(),
      description: `${what} for more than ${age.toMinutes()} minutes. Webhooks arrive late. Check the errors and the concurrency of the function that reads the queue.`,
      section: 'a-queue-grows-old',
    });
  }
}
