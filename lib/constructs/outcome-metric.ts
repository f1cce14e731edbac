import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';

const period = Duration.minutes(1);

/** A metric that functions publish (shared/platform/log.ts), by operation or worker. */
export function outcomeMetric(operation: string, outcome: string): Metric {
  return new Metric({
    namespace: 'Gateline',
    metricName: outcome,
    dimensionsMap: { service: 'gateline', operation },
    statistic: 'Sum',
    period,
  });
}

/** The sum of Lambda's error metric, which counts crashes and timeouts, and a metric that the function publishes. */
export function errorsAnd(errors: Metric, own: Metric): MathExpression {
  return new MathExpression({
    expression: 'FILL(errors, 0) + FILL(own, 0)',
    usingMetrics: { errors, own },
    period,
  });
}
