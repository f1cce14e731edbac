import * as v from 'valibot';
import { concurrencyPlan, unreservedConcurrency } from '../../lib/concurrency-plan.ts';
import type { StageConfig } from '../../lib/stage-config.ts';
import { fullSaleBuyers } from '../../shared/domain/lambda-concurrency.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { configOf, type RehearsedStack } from './rehearsed-stack.ts';

const Reserved = v.looseObject({ ReservedConcurrentExecutions: v.optional(v.number(), 0) });
const Mapping = v.looseObject({
  /** Only mappings of streams have one. */
  StartingPosition: v.optional(v.string()),
  ParallelizationFactor: v.optional(v.number(), 1),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.number() })),
});
export interface NeededConcurrency {
  /** What the functions with a reservation keep for themselves. */
  readonly reserved: number;
  /** What the workers of all queues use at most. They have no reservation. */
  readonly queueWorkers: number;
  /** What the consumers of the table's stream use at most: batches at once for each of so many shards. */
  readonly streamConsumers: number;
  readonly total: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** The Lambda concurrency that the account must have, so full queues leave enough for operations without a reservation. */
export function neededConcurrency(stack: RehearsedStack): NeededConcurrency {
  const { ofType } = stack;
  const { shards } = concurrencyPlan(configOf(stack));
  const reserved = sum(
    ofType('AWS::Lambda::Function').map(({ Properties }) => v.parse(Reserved, Properties).ReservedConcurrentExecutions),
  );
  const mappings = ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => v.parse(Mapping, Properties));
  const queueWorkers = sum(mappings.map(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency ?? 0));
  const streams = mappings.filter(({ StartingPosition }) => StartingPosition !== undefined);
  const streamConsumers = shards * sum(streams.map(({ ParallelizationFactor }) => ParallelizationFactor));
  return {
    reserved,
    queueWorkers,
    streamConsumers,
    total: reserved + queueWorkers + streamConsumers + unreservedConcurrency,
  };
}

export function checkCapacity(stack: RehearsedStack): string[] {
  const config = configOf(stack);
  const { stage, lambdaConcurrency } = config;
  const needed = neededConcurrency(stack);
  return [
    ...checkReservations(stack),
    ...checkCaps(stack),
    ...(needed.total <= lambdaConcurrency
      ? []
      : [`${neededText(stage, needed)} lib/stage-config.ts states ${lambdaConcurrency}. ${whatFits(config)}`]),
  ];
}

/** What the operator can do: reservations follow from the stated number, so only too little or a raised one does not fit. */
function whatFits(config: StageConfig): string {
  const { least, full } = concurrencyPlan(config);
  return `${least} is the least that fits, and ${full} is enough for a sale of ${fullSaleBuyers} buyers: state what the account has, or request more from AWS (Service Quotas). Set back what was raised for a sale that is over: npm run admin -- storefront sale … --end.`;
}

/** What the stage needs, as a sentence. */
export function neededText(
  stage: string,
  { reserved, queueWorkers, streamConsumers, total }: NeededConcurrency,
): string {
  return `${stage} needs a Lambda concurrency of ${total}: ${reserved} reserved, ${queueWorkers} for the workers of queues, ${streamConsumers} for the consumers of the stream, ${unreservedConcurrency} for all other functions.`;
}

/**
 * Functions that anyone can call, that last as long as a client reads, or that wait for the payment provider would take the
 * concurrency of all others, and a schedule would not run when others take all.
 */
function checkReservations(stack: RehearsedStack): string[] {
  if (!configOf(stack).guarded) return [];
  const demanding = [
    ...operations.filter(
      ({ auth, output, effects }) => auth.kind === 'public' || output.streamed || effects.usesPayments,
    ),
    ...workers.filter(({ source }) => source.kind === 'route' || source.kind === 'schedule'),
  ].map(({ id }) => id);
  return stack.ofType('AWS::Lambda::Function').flatMap(({ Properties }) => {
    const id = String(Properties.Description).split(':')[0] ?? '';
    return demanding.includes(id) && v.parse(Reserved, Properties).ReservedConcurrentExecutions === 0
      ? [
          `${id} has no reserved concurrency, and could take all that other functions need: set runtime.concurrency in its registry entry.`,
        ]
      : [];
  });
}

/** A queue without a cap starts workers until the account has none left. */
function checkCaps({ ofType }: RehearsedStack): string[] {
  return ofType('AWS::Lambda::EventSourceMapping').flatMap(({ logicalId, Properties }) => {
    const { StartingPosition, ScalingConfig } = v.parse(Mapping, Properties);
    return StartingPosition === undefined && ScalingConfig === undefined
      ? [
          `The queue mapping ${logicalId} has no maximum concurrency: set concurrency of its source in shared/workers/registry.ts.`,
        ]
      : [];
  });
}
