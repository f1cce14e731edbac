import { countOutcome } from '../platform/log.ts';

type Outcome =
  | 'Delivered'
  | 'DeliveryFailed'
  | 'DeliveryDead'
  | 'DeliveryParked'
  | 'CircuitOpened'
  | 'EndpointDisabled';

const counts = new Map<Outcome, number>();

/** Counts what became of deliveries. A metric is a line of the log, so there is one for each batch and not for each delivery. */
export function countMetric(outcome: Outcome): void {
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
}

/** Publishes what one piece of work counted. An instance does one at a time, so nothing of another is in it. */
export async function published<Result>(worker: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } finally {
    for (const [outcome, count] of counts) countOutcome(worker, outcome, count);
    counts.clear();
  }
}
