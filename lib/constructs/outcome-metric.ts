import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';

const period = Duration.minutes(1);

/** What functions count themselves (shared/platform/log.ts), by operation or worker. */
export function outcomeMetric(operation: string, outcome: string): Metric {
  return new Metric({
    namespace: 'Gateline',
    metricName: outcome,
    dimensionsMap: { service: 'gateline', operation },
    statistic: 'Sum',
    period,
  });
}

/** What Lambda calls an error, which is a crash or a timeout, and what the function says of itself. */
export function errorsAnd(errors: Metric, own: Metric): MathExpression {
  return new MathExpression({
    expression: 'FILL(errors, 0) + FILL(own, 0)',
    usingMetrics: { errors, own },
    period,
  });
}
