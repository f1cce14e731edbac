import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';

const period = Duration.minutes(1);

/** A metric that functions publish (shared/platform/log.ts), by operation or worker. */
export function outcomeMetric(stage: string, operation: string, outcome: string): Metric {
  return new Metric({
    namespace: 'Gateline',
    metricName: outcome,
    dimensionsMap: { stage, operation },
    statistic: 'Sum',
    period,
  });
}

/** A metric over all operations of a stage: Latency in milliseconds, without streamed responses, and what is counted over all (shared/platform/log.ts, or the log of the API). */
export function stageMetric(
  stage: string,
  metricName: 'Latency' | 'Failed' | 'PaymentRefused' | 'TooManyRequests' | 'FailedRequest',
  statistic: string,
): Metric {
  const dimensionsMap = { stage };
  return new Metric({ namespace: 'Gateline', metricName, dimensionsMap, statistic, period });
}

/**
 * The percentage of events that are bad, or 0 for fewer than three bad ones: a single failure is not a trend, and on a quiet stage
 * three of three are. Both metrics must have a point for every event, so none of the two is missing where the other is not.
 */
export function percentageOf({ bad, all }: { bad: Metric; all: Metric }, window = period): MathExpression {
  return new MathExpression({
    expression: 'IF(bad >= 3, 100 * bad / all, 0)',
    usingMetrics: { bad, all },
    period: window,
  });
}
