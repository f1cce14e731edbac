import {
  type Concurrencies,
  concurrencyBetween,
  leastConcurrency,
  totalConcurrency,
} from '../shared/domain/lambda-concurrency.ts';
import { operations } from '../shared/operations/registry.ts';
import { workers } from '../shared/workers/registry.ts';
import { isDeployedWith, type WorkerSource } from '../shared/workers/worker.ts';
import type { StageConfig } from './stage-config.ts';

/** Lambda refuses a reservation that leaves less than this for functions without one. */
export const unreservedConcurrency = 100;
/**
 * The shards of the table's stream, one for each partition of 1,000 write units a second: those of a new table, and of one that was
 * warmed to the 40,000 that an account allows by default.
 */
const shards = { least: 4, full: 40 };

type QueueConcurrency = Extract<WorkerSource, { kind: 'queue' }>['concurrency'];

/** How a guarded stage divides the Lambda concurrency of its account. */
export interface ConcurrencyPlan {
  /** The least that the account must have. */
  readonly least: number;
  /** What every function has with its full number. More than this serves larger sales. */
  readonly full: number;
  /** The shards of the stream whose consumers have room. */
  readonly shards: number;
  /** What the functions that `storefront sale` raises may reserve together, and what they have on every other day. */
  readonly sale: { readonly room: number; readonly everyday: Concurrencies };
  /** The reservation of a function on every day, from its full number. */
  reserved(full: number): number;
  /** The most batches of a queue at once. */
  queueWorkers(concurrency: QueueConcurrency): number;
}

/**
 * Divides the concurrency of the account: each part grows from its least to its full number with what the account has. Reservations
 * use half of that share, and `storefront sale` gives the other half to the functions of a sale, for the hours of an opening.
 */
export function concurrencyPlan({
  lambdaConcurrency,
  payments,
}: Pick<StageConfig, 'lambdaConcurrency' | 'payments'>): ConcurrencyPlan {
  const deployed = workers.filter((worker) => isDeployedWith(worker, payments));
  const reserving = [...operations, ...deployed].flatMap(({ id, runtime: { concurrency, raisedForSale } }) =>
    concurrency === undefined ? [] : [{ id, concurrency, raisedForSale }],
  );
  const queues = deployed.flatMap(({ source }) => (source.kind === 'queue' ? [source.concurrency] : []));
  const batchesOfShard = sum(
    deployed.flatMap(({ source }) => (source.kind === 'stream' ? [source.parallelBatches ?? 1] : [])),
  );
  const least =
    unreservedConcurrency +
    sum(reserving.map(({ concurrency }) => leastConcurrency(concurrency))) +
    sum(queues.map(({ other }) => other)) +
    batchesOfShard * shards.least;
  const full =
    unreservedConcurrency +
    sum(reserving.map(({ concurrency }) => concurrency)) +
    sum(queues.map(({ guarded }) => guarded)) +
    batchesOfShard * shards.full;
  const share = Math.min(1, Math.max(0, (lambdaConcurrency - least) / (full - least)));
  const reserved = (number: number) => concurrencyBetween(leastConcurrency(number), number, share / 2);
  const queueWorkers = ({ other, guarded }: QueueConcurrency) => concurrencyBetween(other, guarded, share);
  const shardsWithRoom = concurrencyBetween(shards.least, shards.full, share);
  const everydayOf = (raisedForSale: boolean): Concurrencies =>
    Object.fromEntries(
      reserving
        .filter((each) => each.raisedForSale === raisedForSale)
        .map(({ id, concurrency }) => [id, reserved(concurrency)]),
    );
  const others =
    unreservedConcurrency +
    totalConcurrency(everydayOf(false)) +
    sum(queues.map(queueWorkers)) +
    batchesOfShard * shardsWithRoom;
  return {
    least,
    full,
    shards: shardsWithRoom,
    sale: { room: Math.max(0, lambdaConcurrency - others), everyday: everydayOf(true) },
    reserved,
    queueWorkers,
  };
}

/** The reservation of a function; undefined for none. What was raised for a sale stays, or a deployment would end the sale. */
export function reservedConcurrency(config: StageConfig, id: string, full: number | undefined): number | undefined {
  if (!config.guarded || full === undefined) return undefined;
  return Math.max(concurrencyPlan(config).reserved(full), config.raisedConcurrency[id] ?? 0);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
