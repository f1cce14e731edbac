import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { compileEventPattern } from '../../local/event-pattern.ts';
import { webhookEventTypes } from '../../shared/domain/webhook-event-types.ts';
import { familyQueueNames, typesOf } from '../../shared/workers/queues.ts';
import { workers } from '../../shared/workers/registry.ts';
import { readStack, referencesIn } from '../support/template.ts';

const stack = readStack('prod');
const Rule = v.looseObject({ EventPattern: v.optional(v.unknown()), Targets: v.array(v.unknown()) });

/** The queues that an event goes to, by the rules of the template. */
function queuesFor(event: unknown): string[] {
  return stack.ofType('AWS::Events::Rule').flatMap(({ Properties }) => {
    const { EventPattern, Targets } = v.parse(Rule, Properties);
    if (EventPattern === undefined || !compileEventPattern(EventPattern)(event)) return [];
    return Targets.flatMap((target) => referencesIn(v.parse(v.looseObject({ Arn: v.unknown() }), target).Arn));
  });
}

const sample: Record<string, unknown> = JSON.parse(readFileSync('events/event-bridge-event.json', 'utf8'));

describe('the rules of the bus', () => {
  it.each(webhookEventTypes)('send %s to one queue', (type) => {
    const queues = queuesFor({ ...sample, 'detail-type': type });
    const expected = familyQueueNames.filter((name) => typesOf(name).includes(type));
    expect(queues).toEqual([expect.stringContaining(`Events${expected[0] ?? 'unrouted'}`)]);
  });

  it('send what nobody knows to the queue of strays, and what is not ours nowhere', () => {
    expect(queuesFor({ ...sample, 'detail-type': 'order.lost' })).toEqual([expect.stringContaining('Eventsunrouted')]);
    expect(queuesFor({ ...sample, source: 'aws.health' })).toEqual([]);
  });

  it('keep what a queue does not take in its dead-letter queue', () => {
    const rules = stack.ofType('AWS::Events::Rule').filter(({ Properties }) => 'EventPattern' in Properties);
    expect(rules).toHaveLength(familyQueueNames.length + 1);
    for (const { Properties } of rules) {
      expect(Properties.Targets).toEqual([expect.objectContaining({ DeadLetterConfig: expect.anything() })]);
    }
  });
});

describe('queues', () => {
  const queues = stack.ofType('AWS::SQS::Queue');
  const alarmed = new Set(
    stack.ofType('AWS::CloudWatch::Alarm').flatMap(({ Properties }) => referencesIn(Properties.Dimensions)),
  );

  it('all raise an alarm, each with words that say what to do', () => {
    expect(queues.map(({ logicalId }) => logicalId).filter((id) => !alarmed.has(id))).toEqual([]);
    for (const { Properties } of stack.ofType('AWS::CloudWatch::Alarm')) {
      expect(Properties.AlarmActions).toHaveLength(1);
      expect(String(Properties.AlarmDescription).length).toBeGreaterThan(80);
    }
  });

  it('hide a message for six times as long as its consumer may run', () => {
    for (const mapping of stack.ofType('AWS::Lambda::EventSourceMapping')) {
      const queue = stack.resources.get(referencesIn(mapping.Properties.EventSourceArn)[0] ?? '');
      if (queue?.Type !== 'AWS::SQS::Queue') continue;
      const consumer = stack.resources.get(referencesIn(mapping.Properties.FunctionName)[0] ?? '');
      expect(Number(queue.Properties.VisibilityTimeout)).toBeGreaterThanOrEqual(
        6 * Number(consumer?.Properties.Timeout),
      );
      expect(queue.Properties.RedrivePolicy).toBeDefined();
      expect(mapping.Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
  });
});

describe('workers', () => {
  it.each(workers)('$id is set in motion by its source', (worker) => {
    const { logicalId } = stack.functionOf(worker);
    const mappings = stack
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(({ Properties }) => referencesIn(Properties.FunctionName).includes(logicalId));
    const schedules = stack
      .ofType('AWS::Events::Rule')
      .filter(({ Properties }) => 'ScheduleExpression' in Properties)
      .filter(({ Properties }) => referencesIn(Properties.Targets).includes(logicalId));
    expect([mappings.length, schedules.length]).toEqual(worker.source.kind === 'schedule' ? [0, 1] : [1, 0]);
  });
});
