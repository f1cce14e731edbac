import { describe, expect, it } from 'vitest';
import { workers as registered } from '../../shared/workers/registry.ts';
import { isDeployedWith } from '../../shared/workers/worker.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const stack = readStack('prod');
const workers = registered.filter((worker) => isDeployedWith(worker, 'stripe'));

describe('queues', () => {
  it('a queue keeps messages that a rule or consumer could not deliver in a dead-letter queue', () => {
    // A schedule that also runs after an event needs none: its next run is the retry.
    const isFunction = (targets: unknown) =>
      referencesIn(targets).some((id) => stack.resources.get(id)?.Type === 'AWS::Lambda::Alias');
    const rules = stack
      .ofType('AWS::Events::Rule')
      .filter(({ Properties }) => 'EventPattern' in Properties && !isFunction(Properties.Targets));
    expect(rules.length).toBeGreaterThan(0);
    for (const { Properties } of rules) {
      expect(Properties.Targets).toEqual([expect.objectContaining({ DeadLetterConfig: expect.anything() })]);
    }
    for (const { Properties } of stack.ofType('AWS::Lambda::EventSourceMapping')) {
      const queue = stack.resources.get(referencesIn(Properties.EventSourceArn)[0] ?? '');
      if (queue?.Type === 'AWS::SQS::Queue') expect(queue.Properties.RedrivePolicy).toBeDefined();
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
  });
});

describe('workers', () => {
  it.each(workers.filter(({ source }) => source.kind !== 'route'))(
    '$id is triggered by its source, through its alias',
    (worker) => {
      const { logicalId } = stack.functionOf(worker);
      const [alias, ...others] = stack
        .ofType('AWS::Lambda::Alias')
        .filter(({ Properties }) => referencesIn(Properties.FunctionName).includes(logicalId));
      expect(others).toEqual([]);
      // Of the alias and not of the function, so a rollback moves workers too.
      const invokes = (value: unknown) => referencesIn(value).includes(alias?.logicalId ?? '');
      const mappings = stack
        .ofType('AWS::Lambda::EventSourceMapping')
        .filter(({ Properties }) => invokes(Properties.FunctionName));
      const rules = stack.ofType('AWS::Events::Rule').filter(({ Properties }) => invokes(Properties.Targets));
      const schedules = rules.filter(({ Properties }) => 'ScheduleExpression' in Properties);
      expect([mappings.length, schedules.length]).toEqual(worker.source.kind === 'schedule' ? [0, 1] : [1, 0]);
      const after = rules.flatMap(({ Properties }) => Properties.EventPattern ?? []);
      const types = worker.source.kind === 'schedule' ? worker.source.after : undefined;
      expect(after).toEqual(types === undefined ? [] : [{ source: ['gateline'], 'detail-type': types }]);
    },
  );

  it.each(workers.filter(({ source }) => source.kind === 'schedule'))('$id is not retried by Lambda', (worker) => {
    const { logicalId } = stack.functionOf(worker);
    const configs = stack
      .ofType('AWS::Lambda::EventInvokeConfig')
      .filter(({ Properties }) => referencesIn(Properties.FunctionName).includes(logicalId));
    expect(configs.map(({ Properties }) => Properties.MaximumRetryAttempts)).toEqual([0]);
    // The settings of the alias: those of the function itself apply only to calls without a version.
    const [alias = ''] = referencesIn(configs[0]?.Properties.Qualifier);
    expect(stack.resources.get(alias)?.Type).toBe('AWS::Lambda::Alias');
  });

  it('two workers read the stream: publish-outbox, and one for all other kinds', () => {
    const streams = registered.filter(({ source }) => source.kind === 'stream');
    expect(streams.map(({ id }) => id)).toEqual(['publish-outbox', 'process-table-changes']);
    const mappings = stack
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(({ Properties }) => Properties.StartingPosition !== undefined);
    // Lambda allows five filters for a mapping; kinds with the same changes share one.
    expect(mappings.map(({ Properties }) => JSON.stringify(Properties).match(/"Pattern"/g)?.length)).toEqual([1, 2]);
    const patterns = stack
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(({ Properties }) => Properties.StartingPosition !== undefined)
      .map(({ Properties }) => JSON.stringify(Properties.FilterCriteria).match(/[A-Z]+(?=#)/g));
    expect(patterns).toEqual([['FEED'], ['STK', 'SEA', 'SEM', 'POS', 'RFD']]);
  });

  it.each([
    ['each contradiction', 'Contradictions', 'audit-findings'],
    ['a part that makes no progress', 'NoProgress', 'the-audit-does-not-end'],
    ['a round that does not end in its time', 'RoundOverdue', 'the-audit-does-not-end'],
  ])('audit-organisations raises an alarm of its own stage for %s', (_what, metric, section) => {
    const [watched, ...others] = stack
      .ofType('AWS::CloudWatch::Alarm')
      .filter(({ Properties }) => Properties.MetricName === metric);
    expect(others).toEqual([]);
    expect(watched?.Properties).toMatchObject({
      Namespace: 'Gateline',
      Threshold: 1,
      Dimensions: expect.arrayContaining([
        { Name: 'operation', Value: 'audit-organisations' },
        { Name: 'stage', Value: 'prod' },
      ]),
      AlarmActions: [expect.anything()],
      AlarmDescription: expect.stringContaining(`docs/runbook.md#${section}`),
    });
  });

  it.each(workers.filter(({ source }) => source.kind === 'queue'))('$id has an alarm for failed messages', (worker) => {
    const { logicalId } = stack.functionOf(worker);
    const watched = stack
      .ofType('AWS::CloudWatch::Alarm')
      .filter(({ Properties }) => Properties.MetricName === 'MessageFailed')
      .filter(({ Properties }) => referencesIn(Properties.Dimensions).includes(logicalId));
    expect(watched).toHaveLength(1);
  });
});
