import { randomBytes } from 'node:crypto';
import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  GetMetricStatisticsCommand,
  ListMetricsCommand,
  PutMetricAlarmCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { ListSubscriptionsByTopicCommand, SNSClient, SubscribeCommand, UnsubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type Check, failed, notProvable, type Outcome, proved, secondsUntil } from '../check.ts';
import { ofType, type SmokeTarget } from '../target.ts';

/** Checks of what tells people about a failure. */
export const monitoringChecks: readonly Check[] = [
  {
    id: 'alarm-to-mailbox',
    assumption: 'An alarm reaches the topic, and the topic has a mailbox that is confirmed.',
    run: (target) =>
      target.kind === 'local' ? Promise.resolve(notProvable('The local run has no alarms.')) : testAlarm(target),
  },
  {
    id: 'canary-metric',
    assumption: 'SuccessfulInvocationAttempts has the dimension RuleName, and the canary succeeds.',
    async run(target) {
      const rule = ofType(target, 'AWS::Events::Rule').find(({ logicalId }) =>
        logicalId.startsWith('CanaryEveryMinute'),
      );
      if (target.kind !== 'aws') return notProvable('Only CloudWatch of AWS has this metric.');
      return rule === undefined ? notProvable(`${target.stage} has no canary.`) : canaryMetric(rule.physicalId);
    },
  },
];

const patienceSeconds = 90;

/** Raises an alarm of its own. A queue that subscribes for a minute sees what the mailbox gets. */
async function testAlarm(target: SmokeTarget): Promise<Outcome> {
  // That of the tickets has the same policy and, until others are named, the same receivers.
  const topics = ofType(target, 'AWS::SNS::Topic');
  const TopicArn = topics.find(({ logicalId }) => logicalId.startsWith('AlarmTopic'))?.physicalId ?? '';
  const name = `Gateline-${target.stage}-smoke-${randomBytes(4).toString('hex')}`;
  const [cloudWatch, sns, sqs] = [new CloudWatchClient({}), new SNSClient({}), new SQSClient({})];
  const cleanUp: (() => Promise<unknown>)[] = [];
  try {
    const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
    const mailboxes = Subscriptions.filter(({ SubscriptionArn = '' }) => SubscriptionArn.startsWith('arn:'));
    const { QueueUrl } = await sqs.send(
      new CreateQueueCommand({ QueueName: name, Attributes: { MessageRetentionPeriod: '600' } }),
    );
    cleanUp.push(() => sqs.send(new DeleteQueueCommand({ QueueUrl })));
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
    const Endpoint = Attributes?.QueueArn ?? '';
    await allowTopic(sqs, { QueueUrl, Endpoint, TopicArn });
    const subscribe = new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, ReturnSubscriptionArn: true });
    const { SubscriptionArn } = await sns.send(subscribe);
    cleanUp.push(() => sns.send(new UnsubscribeCommand({ SubscriptionArn })));
    await cloudWatch.send(
      new PutMetricAlarmCommand({
        AlarmName: name,
        AlarmDescription: `A test of npm run smoke on ${target.stage}. Nothing is wrong.`,
        Namespace: 'Gateline',
        MetricName: 'Smoke',
        Statistic: 'Sum',
        Period: 60,
        EvaluationPeriods: 1,
        Threshold: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
        AlarmActions: [TopicArn],
      }),
    );
    cleanUp.push(() => cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [name] })));
    const StateReason = 'A test of npm run smoke. Nothing is wrong.';
    await cloudWatch.send(new SetAlarmStateCommand({ AlarmName: name, StateValue: 'ALARM', StateReason }));
    const seconds = await secondsUntil(async () => {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
      return Messages.some(({ Body = '' }) => Body.includes(name));
    }, patienceSeconds);
    return alarmOutcome(target, { name, seconds, mailboxes: mailboxes.length });
  } finally {
    // The last first: the alarm, then its subscription, then the queue.
    for (const undo of cleanUp.reverse()) await undo();
    for (const client of [cloudWatch, sns, sqs]) client.destroy();
  }
}

function alarmOutcome(
  { kind, stage, resources }: SmokeTarget,
  { name, seconds, mailboxes }: { name: string; seconds: number | undefined; mailboxes: number },
): Outcome {
  if (seconds === undefined && kind === 'emulator') return notProvable('The emulator runs no actions of alarms.');
  if (seconds === undefined)
    return failed(`The alarm did not reach the topic within ${patienceSeconds} s.`, "Check the topic's policy.");
  const isGuarded = resources.some(({ type }) => type === 'AWS::WAFv2::WebACL');
  if (mailboxes === 0 && isGuarded)
    return failed(
      'The topic has no confirmed subscriber.',
      'Set alarmReceivers in lib/stage-config.ts, deploy and confirm.',
    );
  return mailboxes === 0
    ? proved(`It reached the topic after ${seconds} s. ${stage} has no mailbox.`)
    : proved(
        `It reached the topic after ${seconds} s, with ${mailboxes} confirmed subscribers. Look for ${name} there.`,
      );
}

async function allowTopic(
  sqs: SQSClient,
  { QueueUrl, Endpoint, TopicArn }: { QueueUrl: string | undefined; Endpoint: string; TopicArn: string },
): Promise<void> {
  const Statement = {
    Effect: 'Allow',
    Principal: { Service: 'sns.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: Endpoint,
    Condition: { ArnEquals: { 'aws:SourceArn': TopicArn } },
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [Statement] });
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
}

async function canaryMetric(rule: string): Promise<Outcome> {
  const client = new CloudWatchClient({});
  const metric = { Namespace: 'AWS/Events', MetricName: 'SuccessfulInvocationAttempts' };
  try {
    const EndTime = new Date();
    const { Datapoints = [] } = await client.send(
      new GetMetricStatisticsCommand({
        ...metric,
        Dimensions: [{ Name: 'RuleName', Value: rule }],
        StartTime: new Date(EndTime.getTime() - 15 * 60_000),
        EndTime,
        Period: 60,
        Statistics: ['Sum'],
      }),
    );
    const succeeded = Datapoints.filter(({ Sum = 0 }) => Sum > 0).length;
    if (succeeded > 0) return proved(`The canary succeeded in ${succeeded} of the last 15 minutes.`);
    const { Metrics = [] } = await client.send(new ListMetricsCommand(metric));
    const names = new Set(Metrics.flatMap(({ Dimensions = [] }) => Dimensions.map(({ Name }) => Name)));
    return failed(
      `There is no point with RuleName ${rule}. This metric has the dimensions: ${[...names].join(', ') || 'none'}.`,
      'Correct lib/constructs/canary.ts, or see "The canary fails" in docs/runbook.md.',
    );
  } finally {
    client.destroy();
  }
}
