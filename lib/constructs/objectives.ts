import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Operation } from '../../shared/operations/operation.ts';
import { type Alarms, wholeWindow } from './alarms.ts';
import type { GatelineApi } from './gateline-api.ts';
import { outcomeMetric, percentageOf } from './outcome-metric.ts';

/** A service level objective over 30 days. */
export interface Objective {
  readonly name: string;
  /** What a good request is, as a sentence. */
  readonly promise: string;
  /** The percentage of requests that may be bad. */
  readonly budget: number;
  readonly requests: { readonly bad: Metric; readonly all: Metric };
}

/** The availability of the API, and latency with availability of the operations with an objective in the registry. */
export function objectivesOf(stage: string, api: GatelineApi, operations: readonly Operation[]): Objective[] {
  const availability: Objective = {
    name: 'availability',
    promise: '99.9 % of all requests, without those of phones with passes, get no 5xx response',
    budget: 0.1,
    requests: zerosAndOnes(api.failedRequests),
  };
  const ofOperations = operations.flatMap(({ id, runtime }): Objective[] => {
    if (runtime.objective === undefined) return [];
    return [
      {
        name: id,
        promise: `99 % of ${id} requests are answered within ${runtime.objective.latencyMs} ms and without a 5xx response`,
        budget: 1,
        requests: zerosAndOnes(outcomeMetric(stage, id, 'ObjectiveMissed')),
      },
    ];
  });
  return [availability, ...ofOperations];
}

/** A request writes 0 or 1, so the number of points is the number of requests. */
const zerosAndOnes = (missed: Metric) => ({
  bad: missed.with({ statistic: 'Sum' }),
  all: missed.with({ statistic: 'SampleCount' }),
});

/**
 * Two speeds at which the error budget of 30 days is used up. The long window shows that it matters, the short one that it still
 * happens (Site Reliability Workbook, chapter 5).
 */
const burnRates = [
  { speed: 'fast', rate: 14.4, long: Duration.hours(1), short: Duration.minutes(5), used: '2 % in an hour' },
  { speed: 'slow', rate: 6, long: Duration.hours(6), short: Duration.minutes(30), used: '5 % in six hours' },
] as const;

export function alarmOnObjectives(alarms: Alarms, api: GatelineApi, operations: readonly Operation[]): void {
  for (const { name, promise, budget, requests } of objectivesOf(alarms.stage, api, operations)) {
    for (const { speed, rate, long, short, used } of burnRates) {
      const text = {
        description: `The service misses an objective: ${promise}. It uses up its error budget of 30 days ${rate} times too fast (${used}). Find the cause on the dashboard, and undo the last release if it began with it.`,
        section: 'an-objective-is-missed',
      };
      const part = (window: Duration) => ({
        ...text,
        metric: percentageOf(requests, window),
        threshold: rate * budget,
        evaluation: wholeWindow,
      });
      alarms.raiseTogether(`${name}-${speed}-burn`, { long: part(long), short: part(short) }, text);
    }
  }
}
