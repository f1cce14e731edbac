import { countOutcome } from '../platform/log.ts';

type Outcome =
  | 'Delivered'
  | 'DeliveryFailed'
  | 'DeliveryDead'
  | 'DeliveryParked'
  | 'CircuitOpened'
  | 'EndpointDisabled';

const counts = new Map<Outcome, number>();

/** Counts the outcome of a delivery. A metric is a log entry, so publishMetrics writes one for each batch, not for each delivery. */
export function countMetric(outcome: Outcome): void {
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
}

/** Publishes the metrics of one invocation. An instance handles one invocation at a time, so the counts do not mix. */
export async function publishMetrics<Result>(worker: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } finally {
    for (const [outcome, count] of counts) countOutcome(worker, outcome, count);
    counts.clear();
  }
}
