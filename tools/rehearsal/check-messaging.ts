import * as v from 'valibot';
import { compileEventPattern } from '../../local/eventbridge/event-pattern.ts';
import { type RehearsedStack, referencesIn } from './rehearsed-stack.ts';

/** AWS's advice: a message must not come again while its consumer may still be at work on it. */
const visibilityPerTimeout = 6;

export function checkQueues(stack: RehearsedStack): string[] {
  const queues = new Map(stack.ofType('AWS::SQS::Queue').map((queue) => [queue.logicalId, queue]));
  const alarmed = new Set(
    stack.ofType('AWS::CloudWatch::Alarm').flatMap(({ Properties }) => referencesIn(Properties.Dimensions)),
  );
  const unwatched = [...queues.keys()].filter((id) => !alarmed.has(id));
  const impatient = stack.ofType('AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) => {
    const queue = queues.get(referencesIn(Properties.EventSourceArn)[0] ?? '');
    const consumer = stack.functions.find(({ logicalId }) => referencesIn(Properties.FunctionName).includes(logicalId));
    if (queue === undefined || consumer === undefined) return [];
    const visible = Number(queue.Properties.VisibilityTimeout ?? 30);
    return visible >= visibilityPerTimeout * consumer.timeoutSeconds
      ? []
      : [
          `${queue.logicalId} gives ${consumer.id} a message again after ${visible} s, less than six times its timeout.`,
        ];
  });
  return [...unwatched.map((id) => `No alarm watches the queue ${id}.`), ...impatient];
}

/** An event that should reach the queue named in `expected`, or none. */
export interface RuleSample {
  readonly file: string;
  readonly event: unknown;
  readonly expected: readonly string[];
}

const Rule = v.looseObject({
  EventPattern: v.optional(v.unknown()),
  Targets: v.array(v.looseObject({ Arn: v.unknown() })),
});

/** Every pattern must be met by a sample, and every sample reach the queues that it is meant for, and no other. */
export function checkRules(stack: RehearsedStack, samples: readonly RuleSample[]): string[] {
  const rules = stack.ofType('AWS::Events::Rule').flatMap(({ logicalId, Properties }) => {
    const { EventPattern, Targets } = v.parse(Rule, Properties);
    if (EventPattern === undefined) return [];
    return [
      {
        logicalId,
        matches: compileEventPattern(EventPattern),
        targets: Targets.flatMap(({ Arn }) => referencesIn(Arn)),
      },
    ];
  });
  const unmet = rules.filter(({ matches }) => !samples.some(({ event }) => matches(event)));
  const astray = samples.flatMap(({ file, event, expected }) => {
    const reached = rules.filter(({ matches }) => matches(event)).flatMap(({ targets }) => targets);
    const isRight =
      reached.length === expected.length && expected.every((name) => reached.some((id) => id.startsWith(name)));
    return isRight
      ? []
      : [`${file} reaches ${reached.join(', ') || 'no queue'}, and is meant for ${expected.join(', ') || 'none'}.`];
  });
  return [
    ...unmet.map(({ logicalId }) => `No sample in events/ meets the pattern of the rule ${logicalId}.`),
    ...astray,
  ];
}
