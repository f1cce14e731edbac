import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Structured lines. Never a key, a body, a query string or a fan's data: only ids, counts, codes and durations. */
export const log = new Logger({ serviceName: 'gateline' });

const metrics = new Metrics({ namespace: 'Gateline', serviceName: 'gateline' });

/** Counts what became of a request or a piece of work, by operation or worker. */
export function countOutcome(operation: string, outcome: string, count = 1): void {
  metrics.addDimension('operation', operation);
  metrics.addMetric(outcome, MetricUnit.Count, count);
  metrics.publishStoredMetrics();
}
