import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Structured lines. Never a key, a body, a query string or a fan's data: only ids, counts, codes and durations. */
export const log = new Logger({ serviceName: 'gateline' });

const metrics = new Metrics({ namespace: 'Gateline', serviceName: 'gateline' });

/** Counts one event per name, by operation. */
export function countOutcome(operation: string, outcome: string): void {
  metrics.addDimension('operation', operation);
  metrics.addMetric(outcome, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}
