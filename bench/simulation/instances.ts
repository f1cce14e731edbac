import { AsyncLocalStorage } from 'node:async_hooks';
import { salesShards } from '../../shared/data/counters/sales-shards.ts';
import { scanShards } from '../../shared/data/counters/scan-layout.ts';
import { CounterShards } from '../../shared/data/counters/shards.ts';

/** What an instance of a function remembers between requests. Each has its own on Lambda; here they share one process. */
interface Instance {
  readonly shards: Map<object, CounterShards<'day'>>;
  /** The refused calls of the current request that were not sent again yet. */
  refused: number;
}

const current = new AsyncLocalStorage<Instance>();

/** Runs a request in an instance. */
export function runIn<Result>(instance: Instance, work: () => Result): Result {
  instance.refused = 0;
  return current.run(instance, work);
}

export const newInstance = (): Instance => ({ shards: new Map(), refused: 0 });

/** Gives every instance its own choice of the counters' shards. */
export function separateInstances(): void {
  for (const shared of [salesShards, scanShards]) {
    const own = (): CounterShards<'day'> =>
      new CounterShards({ letter: '', shards: shared.count, maxShards: shared.maxCount, partitions: { day: 1 } });
    Object.defineProperty(shared, 'choose', {
      value: (attempt: number) => {
        const instance = current.getStore();
        const shards = instance?.shards.get(shared) ?? own();
        instance?.shards.set(shared, shards);
        return shards.choose(attempt);
      },
    });
  }
}

/** Counts the calls that a request sends again after a conflict or a throttle. */
export class RetryCounter {
  retries = 0;
  /** How often seats were asked of the table. */
  seatTakes = 0;

  /** A call begins: if the request was refused before, it is a retry. */
  begin(): void {
    const instance = current.getStore();
    if (instance === undefined || instance.refused === 0) return;
    instance.refused -= 1;
    this.retries += 1;
  }

  refuse(): void {
    const instance = current.getStore();
    if (instance !== undefined) instance.refused += 1;
  }
}
