import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** Far longer than anything waits when all is well, and short enough that receivers have not noticed yet. */
const tooOld = Duration.minutes(5);

/** The alarms of the stack, all to one topic. Each says who is hurt and what to do first. */
export class Alarms extends Construct {
  private readonly topic: Topic;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { displayName: 'Gateline alarms', enforceSSL: true });
  }

  /** For queues that should be empty at all times. */
  onMessages(name: string, queue: Queue, what: string): void {
    this.raise(name, {
      metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: 1,
      description: `${what}: webhook receivers miss them for now. Nothing is lost: the rows are in the table and the sweeper sends them again. Read a message, mend the cause, then redrive the queue.`,
    });
  }

  /** For what a worker of the table's stream gave up on. */
  onUndone(name: string, queue: Queue): void {
    this.raise(name, {
      metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: 1,
      description:
        'A worker of the stream gave up on some changes; the message names it. publish-outbox: webhooks are late, nothing is lost, the sweeper sends them. follow-stock: the sold_out of an event may be wrong until the next sale or change of one of its prices. Mend the cause, change a capacity there and back, empty the queue.',
    });
  }

  onAge(name: string, queue: Queue, what: string): void {
    this.raise(`${name}-age`, {
      metric: queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: tooOld.toSeconds(),
      description: `${what} for more than five minutes: webhooks arrive late. Look at the errors and the concurrency of the function that reads the queue.`,
    });
  }

  raise(name: string, { metric, threshold, description }: { metric: Metric; threshold: number; description: string }) {
    const alarm = new Alarm(this, name, {
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
