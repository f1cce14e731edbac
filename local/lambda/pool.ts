import { availableParallelism } from 'node:os';
import type { FunctionDefinition } from './function-definition.ts';
import { Instance, type InstanceOptions, type Invocation, type Outcome } from './instance.ts';

export interface PoolOptions {
  /** The maximum number of concurrent instances of all functions. */
  maximumInstances: number;
  instanceOptions(definition: FunctionDefinition): InstanceOptions;
}

interface WaitingInvocation {
  definition: FunctionDefinition;
  start(instance: Instance): void;
  cancel(): void;
}

/** Starting is the most expensive step of an instance. Too many starts at once would make running instances time out. */
const maxStarting = Math.max(2, availableParallelism());

/**
 * Assigns invocations to instances, one at a time per instance. AWS rejects invocations beyond the concurrency of the account.
 * One machine has much less concurrency, so here invocations wait in one queue per function. The queues take turns, so that a
 * flood of one function does not starve the others.
 */
export class Pool {
  private readonly options: PoolOptions;
  /** Waiting invocations by function. The first function of the map is next. */
  private readonly waitingByFunction = new Map<string, WaitingInvocation[]>();
  /** Least recently used first. */
  private idle: Instance[] = [];
  private readonly busy = new Set<Instance>();
  private starting = 0;
  private readonly ending = new Set<Promise<void>>();
  private stopped = false;

  constructor(options: PoolOptions) {
    this.options = options;
  }

  async run(definition: FunctionDefinition, invocation: Invocation): Promise<Outcome> {
    const instance = await this.acquire(definition);
    if (instance === undefined) {
      return { kind: 'error', error: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' } };
    }
    try {
      invocation.onStart?.();
      return await instance.invoke(invocation);
    } finally {
      this.release(instance);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const invocation of [...this.waitingByFunction.values()].flat()) invocation.cancel();
    this.waitingByFunction.clear();
    for (const instance of [...this.idle, ...this.busy]) this.end(instance);
    this.idle = [];
    await Promise.all(this.ending);
  }

  private acquire(definition: FunctionDefinition): Promise<Instance | undefined> {
    // An operator disables a function with a reserved concurrency of 0.
    if (this.stopped || definition.reservedConcurrency === 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waiting = this.waitingByFunction.get(definition.name) ?? [];
      waiting.push({ definition, start: resolve, cancel: () => resolve(undefined) });
      this.waitingByFunction.set(definition.name, waiting);
      this.dispatch();
    });
  }

  private release(instance: Instance): void {
    this.busy.delete(instance);
    if (this.stopped) return;
    if (instance.alive) this.idle.push(instance);
    else this.end(instance);
    this.dispatch();
  }

  private dispatch(): void {
    for (let served = true; served; ) {
      served = false;
      for (const [name, waiting] of this.waitingByFunction) {
        const [first] = waiting;
        const instance = first === undefined ? undefined : this.takeInstance(first.definition);
        if (first === undefined || instance === undefined) continue;
        waiting.shift();
        // Moves the function to the end of the map, so that the next one has its turn.
        this.waitingByFunction.delete(name);
        if (waiting.length > 0) this.waitingByFunction.set(name, waiting);
        first.start(instance);
        served = true;
        break;
      }
    }
  }

  /** A warm instance, or a new one if the limit allows it, if necessary after ending an idle one. */
  private takeInstance(definition: FunctionDefinition): Instance | undefined {
    const running = [...this.busy].filter((instance) => instance.definition === definition).length;
    if (running >= (definition.reservedConcurrency ?? Number.POSITIVE_INFINITY)) return undefined;
    this.idle = this.idle.filter((instance) => instance.alive);
    const warm = this.idle.findLast((instance) => instance.definition === definition);
    const instance = warm ?? (this.freeSlot(running) ? this.startInstance(definition) : undefined);
    if (instance === undefined) return undefined;
    this.idle = this.idle.filter((each) => each !== instance);
    this.busy.add(instance);
    return instance;
  }

  /**
   * Whether a function with this many instances can have another. The longest idle instance is ended for it, but not one of a
   * function with waiting invocations, unless this function has less than its share. Otherwise two floods would keep ending
   * each other's instances.
   */
  private freeSlot(running: number): boolean {
    const { maximumInstances } = this.options;
    if (this.starting >= maxStarting) return false;
    if (this.idle.length + this.busy.size < maximumInstances) return true;
    const share = Math.max(1, Math.floor(maximumInstances / this.waitingByFunction.size));
    const unneeded = this.idle.find(({ definition }) => !this.waitingByFunction.has(definition.name));
    const replaced = unneeded ?? (running < share ? this.idle[0] : undefined);
    if (replaced === undefined) return false;
    this.idle = this.idle.filter((instance) => instance !== replaced);
    this.end(replaced);
    return true;
  }

  private startInstance(definition: FunctionDefinition): Instance {
    const instance = new Instance(this.options.instanceOptions(definition));
    this.starting += 1;
    void instance.initialized.then(() => {
      this.starting -= 1;
      this.dispatch();
    });
    return instance;
  }

  private end(instance: Instance): void {
    const ended = instance.terminate().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }
}
