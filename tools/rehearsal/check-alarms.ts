import * as v from 'valibot';
import { configOf, type RehearsedStack, referencesIn } from './rehearsed-stack.ts';

const Statement = v.looseObject({
  Effect: v.string(),
  Action: v.union([v.string(), v.array(v.string())]),
  Principal: v.optional(v.unknown()),
  Resource: v.optional(v.unknown()),
});
const TopicPolicy = v.looseObject({
  Topics: v.array(v.unknown()),
  PolicyDocument: v.looseObject({ Statement: v.array(Statement) }),
});
type Statement = v.InferOutput<typeof Statement>;

/** Every alarm must reach its topic when it starts and when it ends. A topic policy without an Allow silences all alarms. */
export function checkAlarms(stack: RehearsedStack): string[] {
  const open = new Set(openTopics(stack, 'cloudwatch.amazonaws.com'));
  const composites = stack.ofType('AWS::CloudWatch::CompositeAlarm');
  const parts = new Set(composites.flatMap(({ Properties }) => referencesIn(Properties.AlarmRule)));
  const notifying = stack.ofType('AWS::CloudWatch::Alarm').filter(({ logicalId }) => !parts.has(logicalId));
  const silent = [...notifying, ...composites].flatMap(({ logicalId, Properties }) =>
    (['AlarmActions', 'OKActions'] as const).flatMap((list) => {
      const targets = referencesIn(Properties[list]);
      if (targets.length === 0) return [`The alarm ${logicalId} has no ${list}.`];
      return targets
        .filter((target) => !open.has(target))
        .map((target) => `The policy of ${target} does not allow CloudWatch to publish, so ${logicalId} is silent.`);
    }),
  );
  return [...silent, ...silentBudgets(stack), ...unheardTopics(stack)];
}

function silentBudgets(stack: RehearsedStack): string[] {
  const open = openTopics(stack, 'budgets.amazonaws.com');
  return stack
    .ofType('AWS::Budgets::Budget')
    .flatMap(({ logicalId, Properties }) =>
      [...new Set(referencesIn(Properties.NotificationsWithSubscribers))]
        .filter((topic) => !open.includes(topic))
        .map((topic) => `The policy of ${topic} does not allow AWS Budgets to publish, so ${logicalId} is silent.`),
    );
}

/** On a guarded stage, a person or a system must receive what the alarms send. */
function unheardTopics(stack: RehearsedStack): string[] {
  const { stage, guarded } = configOf(stack);
  if (!guarded) return [];
  const heard = new Set(
    stack.ofType('AWS::SNS::Subscription').flatMap((each) => referencesIn(each.Properties.TopicArn)),
  );
  return stack
    .ofType('AWS::SNS::Topic')
    .filter(({ logicalId }) => !heard.has(logicalId))
    .map(
      ({ logicalId }) =>
        `The alarms of ${stage} reach no person: ${logicalId} has no subscription. Set alarmReceivers of ${stage} in lib/stage-config.ts.`,
    );
}

/** The topics that a service may publish to. A topic without a policy of its own has a default one, which allows it. */
function openTopics(stack: RehearsedStack, service: string): string[] {
  const policies = stack.ofType('AWS::SNS::TopicPolicy').map(({ Properties }) => v.parse(TopicPolicy, Properties));
  return stack
    .ofType('AWS::SNS::Topic')
    .map(({ logicalId }) => logicalId)
    .filter((topic) => {
      const own = policies.filter(({ Topics }) => referencesIn(Topics).includes(topic));
      const statements = own.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
      return own.length === 0 || statements.some((statement) => letsPublish(service, statement, topic));
    });
}

function letsPublish(service: string, { Effect, Action, Principal, Resource }: Statement, topic: string): boolean {
  const isForService = JSON.stringify(Principal ?? null).includes(`"${service}"`);
  return (
    Effect === 'Allow' &&
    isForService &&
    [Action].flat().includes('sns:Publish') &&
    referencesIn(Resource).includes(topic)
  );
}
