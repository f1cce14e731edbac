import * as v from 'valibot';
import { configOf, type RehearsedStack } from './rehearsed-stack.ts';

/** Lambda refuses a reservation that leaves less than this for functions without one. */
const unreserved = 100;

const Reserved = v.looseObject({ ReservedConcurrentExecutions: v.optional(v.number(), 0) });
const Source = v.looseObject({
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.number() }), { MaximumConcurrency: 0 }),
});

export interface NeededConcurrency {
  /** What the functions with a reservation keep for themselves. */
  readonly reserved: number;
  /** What the workers of all queues use at most. They have no reservation. */
  readonly queueWorkers: number;
  readonly total: number;
}

/** The Lambda concurrency that the account must have, so that full queues leave enough for operations without a reservation. */
export function neededConcurrency({ ofType }: RehearsedStack): NeededConcurrency {
  const reserved = ofType('AWS::Lambda::Function')
    .map(({ Properties }) => v.parse(Reserved, Properties).ReservedConcurrentExecutions)
    .reduce((sum, each) => sum + each, 0);
  const queueWorkers = ofType('AWS::Lambda::EventSourceMapping')
    .map(({ Properties }) => v.parse(Source, Properties).ScalingConfig.MaximumConcurrency)
    .reduce((sum, each) => sum + each, 0);
  return { reserved, queueWorkers, total: reserved + queueWorkers + unreserved };
}

export function checkCapacity(stack: RehearsedStack): string[] {
  const { stage, lambdaConcurrency } = configOf(stack);
  const { reserved, queueWorkers, total } = neededConcurrency(stack);
  if (total <= lambdaConcurrency) return [];
  return [
    `${stage} needs a Lambda concurrency of ${total}: ${reserved} reserved, ${queueWorkers} for the workers of queues, ${unreserved} for all other functions. lib/stage-config.ts states ${lambdaConcurrency}. Reserve less, or request a higher quota from AWS and state it.`,
  ];
}
