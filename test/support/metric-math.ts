import * as v from 'valibot';

/** One value per period, oldest first; undefined where the metric has no point. */
export type Series = readonly (number | undefined)[];

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '>=': (a, b) => Number(a >= b),
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
/** By precedence, the weakest first. */
const levels = [['>='], ['+', '-'], ['*', '/']];

/**
 * Evaluates the part of CloudWatch's metric math that the alarms use. A result is missing where one of its metrics is, as in
 * CloudWatch. What this does not know fails, so no alarm uses it untested.
 */
export function evaluateMath(expression: string, metrics: Readonly<Record<string, Series>>): Series {
  const length = Math.max(...Object.values(metrics).map((series) => series.length));
  return Array.from({ length }, (_, index) => {
    const tokens = expression.match(/\d+(?:\.\d+)?|\w+|>=|[-+*/(),]/g) ?? [];
    const value = parse(tokens, (name) => {
      const series = metrics[name];
      if (series === undefined) throw new Error(`${expression} uses ${name}, which is not a metric of the alarm.`);
      return series[index] ?? Number.NaN;
    });
    if (tokens.length > 0) throw new Error(`This evaluator does not know ${tokens.join(' ')} in ${expression}.`);
    return Number.isNaN(value) ? undefined : value;
  });
}

function parse(tokens: string[], metricValue: (name: string) => number, level = 0): number {
  const next = (): number =>
    level + 1 < levels.length ? parse(tokens, metricValue, level + 1) : primary(tokens, metricValue);
  let value = next();
  while (levels[level]?.includes(tokens[0] ?? '')) {
    const operator = operators[tokens.shift() ?? ''];
    const right = next();
    // A comparison with a missing value is missing, not false.
    value = operator === undefined || Number.isNaN(value + right) ? Number.NaN : operator(value, right);
  }
  return value;
}

function primary(tokens: string[], metricValue: (name: string) => number): number {
  const token = tokens.shift() ?? '';
  if (/^\d/.test(token)) return Number(token);
  if (token === 'IF') {
    tokens.shift();
    const [condition = Number.NaN, then = Number.NaN, otherwise = Number.NaN] = [0, 1, 2].map(() => {
      const value = parse(tokens, metricValue);
      tokens.shift();
      return value;
    });
    if (Number.isNaN(condition)) return Number.NaN;
    return condition === 0 ? otherwise : then;
  }
  if (tokens[0] === '(') throw new Error(`This evaluator does not know the function ${token}.`);
  return metricValue(token);
}

const MetricStat = v.object({
  Metric: v.looseObject({ MetricName: v.string() }),
  Period: v.number(),
  Stat: v.string(),
});
export type MetricStat = v.InferOutput<typeof MetricStat>;

const AlarmProperties = v.looseObject({
  Threshold: v.number(),
  ComparisonOperator: v.string(),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
  TreatMissingData: v.string(),
  Metrics: v.optional(
    v.array(v.looseObject({ Id: v.string(), Expression: v.optional(v.string()), MetricStat: v.optional(MetricStat) })),
  ),
  MetricName: v.optional(v.string()),
  Period: v.optional(v.number()),
  Statistic: v.optional(v.string()),
});

/** Whether the alarm is raised after the given points. `seriesOf` returns the points of a metric, one per period. */
export function isRaised(properties: unknown, seriesOf: (metric: MetricStat) => Series): boolean {
  const alarm = v.parse(AlarmProperties, properties);
  const newest = valuesOf(alarm, seriesOf).slice(-alarm.EvaluationPeriods);
  const missing = Array.from({ length: alarm.EvaluationPeriods - newest.length }, () => undefined);
  const breaching = [...missing, ...newest].filter((value) => {
    if (value === undefined) return alarm.TreatMissingData === 'breaching';
    switch (alarm.ComparisonOperator) {
      case 'GreaterThanOrEqualToThreshold':
        return value >= alarm.Threshold;
      case 'LessThanThreshold':
        return value < alarm.Threshold;
      default:
        throw new Error(`This evaluator does not know ${alarm.ComparisonOperator}.`);
    }
  });
  return breaching.length >= alarm.DatapointsToAlarm;
}

function valuesOf(alarm: v.InferOutput<typeof AlarmProperties>, seriesOf: (metric: MetricStat) => Series): Series {
  const { Metrics = [], MetricName = '', Period = 60, Statistic = '' } = alarm;
  if (Metrics.length === 0) return seriesOf({ Metric: { MetricName }, Period, Stat: Statistic });
  const named = Metrics.flatMap(({ Id, MetricStat: stat }) =>
    stat === undefined ? [] : [[Id, seriesOf(stat)] as const],
  );
  const [expression = ''] = Metrics.flatMap(({ Expression }) => Expression ?? []);
  return evaluateMath(expression, Object.fromEntries(named));
}
