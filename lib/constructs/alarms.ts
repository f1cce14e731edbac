import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Urgency, urgencyOf } from '../alarm-urgency.ts';
import { outcomeMetric } from './outcome-metric.ts';

/** Well above the normal age of a message, and short enough to act before receivers notice. */
const tooOld = Duration.minutes(5);

/** How many of the last periods must breach. */
export interface Evaluation {
  readonly datapoints: number;
  readonly outOf: number;
}

/** For what needs a person even if it happens once. Metrics arrive late, so the alarm looks at more than the last minute. */
const once: Evaluation = { datapoints: 1, outOf: 5 };
/** For what may pass without help. A good minute between bad ones does not hide them. */
export const mostly: Evaluation = { datapoints: 3, outOf: 5 };
/** For a metric whose single point already covers the whole window. */
export const wholeWindow: Evaluation = { datapoints: 1, outOf: 1 };

interface AlarmText {
  /** The impact (who is affected and how), and the first thing to do. */
  readonly description: string;
  /** The section of docs/runbook.md with the details. */
  readonly section: string;
  /** By default that of the section (lib/alarm-urgency.ts). */
  readonly urgency?: Urgency;
}

export interface AlarmProps extends AlarmText {
  readonly metric: IMetric;
  readonly threshold: number;
  readonly evaluation?: Evaluation;
  /** Whether the alarm is about values below the threshold, and about missing ones. */
  readonly below?: true;
}

export interface AlarmsProps {
  readonly stage: string;
  readonly topics: Readonly<Record<Urgency, ITopic>>;
}

/** Alarms of one stack. They notify one of two topics: what wakes somebody, and what can wait. */
export class Alarms extends Construct {
  readonly stage: string;
  readonly #topics: AlarmsProps['topics'];

  constructor(scope: Construct, id: string, { stage, topics }: AlarmsProps) {
    super(scope, id);
    this.stage = stage;
    this.#topics = topics;
  }

  raise(name: string, props: AlarmProps): Alarm {
    return this.#notify(this.#create(name, props), props);
  }

  /** An alarm that is raised while all of these are. They send no notification themselves. */
  raiseTogether(name: string, parts: Readonly<Record<string, AlarmProps>>, text: AlarmText): CompositeAlarm {
    const alarms = Object.entries(parts).map(([part, props]) => this.#create(`${name}-${part}`, props));
    const composite = new CompositeAlarm(this, name, {
      alarmRule: AlarmRule.allOf(...alarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
      alarmDescription: describe(text),
    });
    return this.#notify(composite, text);
  }

  #create(name: string, { metric, threshold, evaluation = once, below, ...text }: AlarmProps): Alarm {
    return new Alarm(this, name, {
      metric,
      threshold,
      evaluationPeriods: evaluation.outOf,
      datapointsToAlarm: evaluation.datapoints,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: describe(text),
    });
  }

  #notify<Kind extends AlarmBase>(alarm: Kind, { section, urgency = urgencyOf(section) }: AlarmText): Kind {
    const action = new SnsAction(this.#topics[urgency]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  }

  /** For a metric that functions publish (shared/platform/log.ts). */
  onOutcome(operation: string, outcome: string, props: Omit<AlarmProps, 'metric' | 'threshold'>): void {
    const name = outcome.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
    this.raise(`${operation}-${name}`, {
      ...props,
      metric: outcomeMetric(this.stage, operation, outcome),
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
        'A stream worker gave up on a batch; the message contains its name. publish-outbox: webhooks are late, and the sweeper sends them. process-table-changes: the table was unavailable for half an hour, so sold_out of an event may be wrong until its next sale or price change. Fix the cause, change a capacity and change it back, then purge the queue.',
      section: 'the-stream-gave-up',
    });
  }

  /** `impact` says who is affected, and what to do first. */
  onAge(
    name: string,
    queue: Queue,
    what: string,
    {
      age = tooOld,
      impact = 'Webhooks arrive late. Check the errors and the concurrency of the function that reads the queue.',
    }: { readonly age?: Duration; readonly impact?: string } = {},
  ): void {
    this.raise(`${name}-age`, {
      metric: queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(1), statistic: 'Maximum' }),
      threshold: age.toSeconds(),
      description: `${what} for more than ${age.toMinutes()} minutes. ${impact}`,
      section: 'a-queue-grows-old',
    });
  }
}

function describe({ description, section }: AlarmText): string {
  return `${description} Runbook: docs/runbook.md#${section}`;
}
