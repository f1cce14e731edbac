import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { stageConfig } from '../../lib/stage-config.ts';
import { operations } from '../../shared/operations/registry.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { evaluateMath, isRaised, type MetricStat, type Series } from '../support/metric-math.ts';
import { readStack } from '../support/template.ts';

const prod = readStack('prod');
const alarms = prod.ofType('AWS::CloudWatch::Alarm');
const composites = prod.ofType('AWS::CloudWatch::CompositeAlarm');

/** The alarm with this name in the code. CloudFormation's ids have no dashes, and a hash at the end. */
function alarm(name: string) {
  const pattern = new RegExp(`Alarms${name.replaceAll('-', '')}[0-9A-F]{8}$`);
  const [found, ...others] = [...alarms, ...composites].filter(({ logicalId }) => pattern.test(logicalId));
  if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} alarms are called ${name}.`);
  return found;
}

/** What happened in a minute. */
interface Minute {
  readonly requests: number;
  readonly errors: number;
}

const quiet: Minute = { requests: 0, errors: 0 };
const many = (count: number, minute: Minute): Minute[] => Array.from({ length: count }, () => minute);

/** The points that API Gateway, or a function with an objective, publishes for these minutes: none for a period without requests. */
function seriesOf(minutes: readonly Minute[]): (metric: MetricStat) => Series {
  return ({ Metric: { MetricName }, Period, Stat }) => {
    const isBad = ['5XXError', 'ObjectiveMissed', 'FailedRequest'].includes(MetricName);
    if (!isBad && MetricName !== 'Count') throw new Error(`No samples of ${MetricName}.`);
    const perPeriod = Period / 60;
    const periods = Math.ceil(minutes.length / perPeriod);
    return Array.from({ length: periods }, (_, index) => {
      const end = minutes.length - (periods - 1 - index) * perPeriod;
      const window = minutes.slice(Math.max(0, end - perPeriod), end);
      const requests = window.reduce((sum, minute) => sum + minute.requests, 0);
      const errors = window.reduce((sum, minute) => sum + minute.errors, 0);
      if (requests === 0) return undefined;
      return isBad && Stat === 'Sum' ? errors : requests;
    });
  };
}

const raisedAfter = (name: string, minutes: readonly Minute[]): boolean =>
  isRaised(alarm(name).Properties, seriesOf(minutes));

describe('alarms on errors', () => {
  it('a quiet stage on which three of three requests fail raises an alarm, in one minute or spread over ten', () => {
    expect(raisedAfter('api-errors-quiet', [...many(14, quiet), { requests: 3, errors: 3 }])).toBe(true);
    const failing = { requests: 1, errors: 1 };
    const spread = [...many(3, quiet), failing, ...many(4, quiet), failing, ...many(4, quiet), failing, quiet];
    expect(raisedAfter('api-errors-quiet', spread)).toBe(true);
    // The requests of the canary succeed.
    const besideCanary = spread.map(({ requests, errors }) => ({ requests: requests + 1, errors }));
    expect(raisedAfter('api-errors-quiet', besideCanary)).toBe(true);
  });

  it('a stage without requests, and one with a single failure, raise no alarm', () => {
    for (const name of ['api-errors', 'api-errors-quiet']) {
      expect(raisedAfter(name, many(15, quiet))).toBe(false);
      expect(raisedAfter(name, [...many(14, quiet), { requests: 1, errors: 1 }])).toBe(false);
    }
  });

  it('a busy stage raises an alarm when 1 % of requests fail in three of five minutes, also with good minutes between', () => {
    const bad = { requests: 1_000, errors: 10 };
    const good = { requests: 1_000, errors: 0 };
    expect(raisedAfter('api-errors', [bad, good, bad, good, bad])).toBe(true);
    expect(raisedAfter('api-errors', [good, bad, good, bad, good])).toBe(false);
    expect(raisedAfter('api-errors', many(5, { requests: 1_000, errors: 9 }))).toBe(false);
  });

  const counted = ['audit-organisations-no-progress', 'audit-organisations-round-overdue', 'apple-certificate-ends'];
  it.each(counted)('%s is raised by the first point that is not zero, and not before', (name) => {
    const raisedBy = (series: Series) => isRaised(alarm(name).Properties, () => series);
    expect(raisedBy([0, 0, 0, 0, 0])).toBe(false);
    // A run that fails publishes nothing.
    expect(raisedBy([undefined, undefined, undefined, undefined, undefined])).toBe(false);
    expect(raisedBy([0, 0, 0, 0, 1])).toBe(true);
  });

  it('the canary raises an alarm when it does not succeed, also when no call is made at all', () => {
    const successes = (series: Series) => isRaised(alarm('canary').Properties, () => series);
    expect(successes([1, 1, 1, 1, 1])).toBe(false);
    // The newest points are late.
    expect(successes([1, 1, 1, undefined, undefined])).toBe(false);
    expect(successes([1, undefined, undefined, undefined, undefined])).toBe(true);
    expect(successes([])).toBe(true);
  });
});

describe('burn-rate alarms', () => {
  const hours = (count: number, minute: Minute): Minute[] => many(60 * count, minute);
  /** A composite alarm is raised while all of its parts are. */
  const burns = (name: string, minutes: readonly Minute[]): boolean =>
    referencesIn(alarm(name).Properties.AlarmRule).every((id) =>
      isRaised(prod.resources.get(id)?.Properties, seriesOf(minutes)),
    );
  const objectives = ['availability', 'prepare-payment', 'check-out-basket', 'record-scan'];
  const budgets: Readonly<Record<string, number>> = { availability: 0.001 };
  const minute = (share: number): Minute => ({ requests: 10_000, errors: Math.ceil(10_000 * share) });

  it('every objective has a fast and a slow burn-rate alarm, each over two windows', () => {
    expect(operations.filter(({ runtime }) => runtime.objective).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['check-out-basket', 'record-scan']),
    );
    expect(composites.filter(({ logicalId }) => /burn/.test(logicalId))).toHaveLength(2 * objectives.length);
    const windows = (name: string) =>
      referencesIn(alarm(name).Properties.AlarmRule).map(
        (id) =>
          v
            .parse(
              v.looseObject({
                Metrics: v.array(v.looseObject({ MetricStat: v.optional(v.looseObject({ Period: v.number() })) })),
              }),
              prod.resources.get(id)?.Properties,
            )
            .Metrics.find((metric) => metric.MetricStat)?.MetricStat?.Period,
      );
    for (const objective of objectives) {
      expect(windows(`${objective}-fast-burn`)).toEqual([3_600, 300]);
      expect(windows(`${objective}-slow-burn`)).toEqual([21_600, 1_800]);
    }
  });

  it.each(objectives)('%s: the fast alarm needs 14.4 times the budget, the slow one 6 times', (objective) => {
    const budget = budgets[objective] ?? 0.01;
    expect(burns(`${objective}-fast-burn`, hours(1, minute(14.5 * budget)))).toBe(true);
    expect(burns(`${objective}-fast-burn`, hours(1, minute(14 * budget)))).toBe(false);
    expect(burns(`${objective}-slow-burn`, hours(6, minute(6.1 * budget)))).toBe(true);
    expect(burns(`${objective}-slow-burn`, hours(6, minute(5 * budget)))).toBe(false);
  });

  it.each(objectives)('%s: the alarms end soon after the failures do', (objective) => {
    const failing = hours(1, minute(1));
    expect(burns(`${objective}-fast-burn`, failing)).toBe(true);
    expect(burns(`${objective}-fast-burn`, [...failing, ...many(5, minute(0))])).toBe(false);
    expect(burns(`${objective}-slow-burn`, [...failing, ...many(30, minute(0))])).toBe(false);
  });
});

describe('all alarms', () => {
  const Evaluated = v.looseObject({
    EvaluationPeriods: v.number(),
    DatapointsToAlarm: v.number(),
    Period: v.optional(v.number()),
  });

  it('no alarm fills gaps: the newest point would always be the filled value', () => {
    const filled = alarms.filter(({ Properties }) => /FILL|RUNNING|SEARCH/.test(JSON.stringify(Properties)));
    expect(filled.map(({ logicalId }) => logicalId)).toEqual([]);
  });

  it('every alarm needs M of N points, and one point only if that covers five minutes or more', () => {
    for (const { logicalId, Properties } of alarms) {
      const { EvaluationPeriods, DatapointsToAlarm } = v.parse(Evaluated, Properties);
      expect(DatapointsToAlarm, logicalId).toBeLessThanOrEqual(EvaluationPeriods);
      const periods = [...JSON.stringify(Properties).matchAll(/"Period":(\d+)/g)].map(([, seconds]) => Number(seconds));
      expect(EvaluationPeriods * Math.min(...periods), logicalId).toBeGreaterThanOrEqual(300);
    }
  });

  it('every expression combines only metrics that have a point for the same events', () => {
    const expressions = alarms.flatMap(({ Properties }) =>
      [...JSON.stringify(Properties.Metrics ?? []).matchAll(/"Expression":"([^"]+)"/g)].map(
        ([, expression]) => expression,
      ),
    );
    expect(new Set(expressions)).toEqual(
      new Set([
        'IF(bad >= 3, 100 * bad / all, 0)',
        // Of the new version of a release. Lambda publishes both for every invocation.
        '100 * errors / invocations',
        '100 * failed',
      ]),
    );
    expect(evaluateMath('IF(bad >= 3, 100 * bad / all, 0)', { bad: [3, 2, undefined], all: [6, 2, 6] })).toEqual([
      50,
      0,
      undefined,
    ]);
    expect(() => evaluateMath('FILL(bad, 0)', { bad: [1] })).toThrow('does not know the function FILL');
  });

  it('every metric belongs to one stage: by its own dimension, or by a resource of the stack', () => {
    const accountWide = ['ConcurrentExecutions'];
    const metrics = alarms.flatMap(({ Properties }) => metricsIn(Properties));
    for (const { Namespace, MetricName, Dimensions = [] } of metrics) {
      const values = Dimensions.map(({ Value }) => (typeof Value === 'string' ? Value : referencesIn(Value).join()));
      if (Namespace === 'Gateline') expect(Dimensions, MetricName).toContainEqual({ Name: 'stage', Value: 'prod' });
      else if (Dimensions.length === 0) expect(accountWide).toContain(MetricName);
      else
        expect(values.some((value) => /prod/.test(value) || prod.resources.has(value.split(',')[0] ?? ''))).toBe(true);
    }
    expect(JSON.stringify(readStack('dev').ofType('AWS::CloudWatch::Alarm'))).not.toContain('"ConcurrentExecutions"');
    expect(prod.ofType('AWS::ApiGateway::RestApi')[0]?.Properties.Name).toBe('Gateline-prod');
  });

  it('throttles of the whole account raise no alarm, and headroom does: of the account and of every reservation', () => {
    const throttles = alarms
      .flatMap(({ Properties }) => metricsIn(Properties))
      .filter(({ MetricName }) => MetricName === 'Throttles');
    expect(throttles).toEqual([]);
    expect(alarm('account-concurrency').Properties).toMatchObject({
      Threshold: 0.8 * stageConfig('prod').lambdaConcurrency,
      Namespace: 'AWS/Lambda',
    });
    for (const operation of operations.filter(({ runtime }) => runtime.concurrency !== undefined)) {
      const { ReservedConcurrentExecutions } = prod.functionOf(operation).Properties;
      expect(alarm(`${operation.id}-concurrency`).Properties.Threshold).toBe(
        0.8 * Number(ReservedConcurrentExecutions),
      );
    }
  });

  it('errors of the table are summed over all operations of DynamoDB by a query, which needs no point of each', () => {
    for (const [name, metric] of [
      ['table-throttled', 'ThrottledRequests'],
      ['table-system-errors', 'SystemErrors'],
    ] as const) {
      const text = JSON.stringify(alarm(name).Properties.Metrics);
      expect(text).toContain(`SELECT SUM(${metric}) FROM SCHEMA(`);
      expect(text).toContain("WHERE TableName = '");
    }
    expect(metricsIn(alarm('table-conflicts').Properties)).toMatchObject([{ MetricName: 'TransactionConflict' }]);
  });

  it('the alarm on latency leaves streamed responses out', () => {
    expect(alarm('api-latency').Properties).toMatchObject({
      Namespace: 'Gateline',
      MetricName: 'Latency',
      ExtendedStatistic: 'p99',
    });
    expect(metricsIn(alarm('api-latency').Properties)[0]?.Dimensions?.map(({ Name }) => Name)).toEqual(['stage']);
  });

  it('the firewall alarm reads the metric of the web ACL', () => {
    const [acl] = prod.ofType('AWS::WAFv2::WebACL');
    expect(acl?.Properties.VisibilityConfig).toMatchObject({ MetricName: 'gateline-prod' });
    expect(metricsIn(alarm('firewall-blocks').Properties)[0]?.Dimensions).toContainEqual({
      Name: 'WebACL',
      Value: 'gateline-prod',
    });
  });
});

const Metric = v.looseObject({
  Namespace: v.string(),
  MetricName: v.string(),
  Dimensions: v.optional(v.array(v.object({ Name: v.string(), Value: v.unknown() }))),
});

/** The metrics of an alarm, of its expression or its only one. */
function metricsIn(properties: Readonly<Record<string, unknown>>): v.InferOutput<typeof Metric>[] {
  if (properties.Metrics === undefined) return [v.parse(Metric, properties)];
  const Queries = v.array(v.looseObject({ MetricStat: v.optional(v.looseObject({ Metric })) }));
  return v.parse(Queries, properties.Metrics).flatMap(({ MetricStat: stat }) => stat?.Metric ?? []);
}
