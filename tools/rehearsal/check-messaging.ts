import * as v from 'valibot';
import { servedReaders } from '../../local/cloud/dynamodb/physics/stream-readers.ts';
import { compileEventPattern } from '../../local/cloud/eventbridge/event-pattern.ts';
import { functionReferencesIn, type RehearsedStack, referencesIn } from './rehearsed-stack.ts';

/** AWS's recommendation, so a message is not delivered again while its consumer may still handle it. */
const visibilityPerTimeout = 6;

export function checkQueues(stack: RehearsedStack): string[] {
  const queues = new Map(stack.ofType('AWS::SQS::Queue').map((queue) => [queue.logicalId, queue]));
  const alarmed = new Set(
    stack.ofType('AWS::CloudWatch::Alarm').flatMap(({ Properties }) => referencesIn(Properties.Dimensions)),
  );
  const unwatched = [...queues.keys()].filter((id) => !alarmed.has(id));
  const impatient = stack.ofType('AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) => {
    const queue = queues.get(referencesIn(Properties.EventSourceArn)[0] ?? '');
    const invoked = functionReferencesIn(stack, Properties.FunctionName);
    const consumer = stack.functions.find(({ logicalId }) => invoked.includes(logicalId));
    if (queue === undefined || consumer === undefined) return [];
    const visible = Number(queue.Properties.VisibilityTimeout ?? 30);
    return visible >= visibilityPerTimeout * consumer.timeoutSeconds
      ? []
      : [
          `The visibility timeout of ${queue.logicalId} (${visible} s) is less than six times the timeout of ${consumer.id}.`,
        ];
  });
  return [...unwatched.map((id) => `The queue ${id} has no alarm.`), ...impatient];
}

const Reader = v.looseObject({ EventSourceArn: v.unknown(), StartingPosition: v.optional(v.string()) });

/** DynamoDB is designed for two readers of a shard and throttles more. Lambda reads the stream once for each mapping. */
export function checkStreams({ ofType }: RehearsedStack): string[] {
  const mappings = ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => v.parse(Reader, Properties));
  const streams = mappings.filter(({ StartingPosition }) => StartingPosition !== undefined);
  const readers = Map.groupBy(streams, ({ EventSourceArn }) => JSON.stringify(EventSourceArn));
  return [...readers].flatMap(([stream, { length }]) =>
    length <= servedReaders
      ? []
      : [
          `${length} functions read the stream ${stream}, and DynamoDB throttles more than ${servedReaders}: let one worker of shared/workers/registry.ts handle several kinds.`,
        ],
  );
}

/** Lambda allows five filters. A mapping that uses all of them cannot take another kind without a request to AWS. */
const maxFilters = 4;
const Filtered = v.looseObject({
  FilterCriteria: v.optional(v.looseObject({ Filters: v.array(v.unknown()) }), { Filters: [] }),
});

export function checkFilters({ ofType }: RehearsedStack): string[] {
  return ofType('AWS::Lambda::EventSourceMapping').flatMap(({ logicalId, Properties }) => {
    const { length } = v.parse(Filtered, Properties).FilterCriteria.Filters;
    return length <= maxFilters
      ? []
      : [`${logicalId} has ${length} filters, and Lambda allows five: join kinds with the same changes in one filter.`];
  });
}

/** An event with the queues that it should reach. */
export interface RuleSample {
  readonly file: string;
  readonly event: unknown;
  readonly expected: readonly string[];
}

const Rule = v.looseObject({
  EventPattern: v.optional(v.unknown()),
  Targets: v.array(v.looseObject({ Arn: v.unknown() })),
});

/** Every pattern must match a sample, and every sample must reach exactly its expected queues. */
export function checkRules(stack: RehearsedStack, samples: readonly RuleSample[]): string[] {
  const rules = stack.ofType('AWS::Events::Rule').flatMap(({ logicalId, Properties }) => {
    const { EventPattern, Targets } = v.parse(Rule, Properties);
    if (EventPattern === undefined) return [];
    return [
      {
        logicalId,
        matches: compileEventPattern(EventPattern),
        // A schedule may run after an event, too.
        targets: Targets.flatMap(({ Arn }) => referencesIn(Arn)).filter(
          (id) => stack.template.Resources[id]?.Type !== 'AWS::Lambda::Alias',
        ),
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
      : [`${file} reaches ${reached.join(', ') || 'no queue'} instead of ${expected.join(', ') || 'no queue'}.`];
  });
  return [
    ...unmet.map(({ logicalId }) => `No sample in events/ matches the pattern of the rule ${logicalId}.`),
    ...astray,
  ];
}
