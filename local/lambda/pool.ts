import { availableParallelism } from 'node:os';
import type { FunctionDefinition } from './function-definition.ts';
import { Instance, type InstanceOptions, type Invocation, type Outcome } from './instance.ts';

export interface PoolOptions {
  /** How many instances there may be at once, of all functions together. */
  maximumInstances: number;
  instanceOptions(definition: FunctionDefinition): InstanceOptions;
}

interface Waiting {
  definition: FunctionDefinition;
  start(instance: Instance): void;
  cancel(): void;
}

/** To start is the most expensive thing an instance does: many at once would starve those that are at work into their timeouts. */
const maxStarting = Math.max(2, availableParallelism());

/**
 * Gives every invocation an instance of its function, and every instance one invocation at a time. AWS would refuse what
 * goes beyond the account's concurrency; one machine has so much less of it that here invocations wait, in one line per
 * function, and the lines take turns, so that a flood of one function does not shut out the others.
 */
export class Pool {
  private readonly options: PoolOptions;
  /** Waiting invocations by function. The order of the map is whose turn it is. */
  private readonly lines = new Map<string, Waiting[]>();
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
    for (const waiting of [...this.lines.values()].flat()) waiting.cancel();
    this.lines.clear();
    for (const instance of [...this.idle, ...this.busy]) this.end(instance);
    this.idle = [];
    await Promise.all(this.ending);
  }

  private acquire(definition: FunctionDefinition): Promise<Instance | undefined> {
    // A reserved concurrency of 0 is how an operator switches a function off.
    if (this.stopped || definition.reservedConcurrency === 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const line = this.lines.get(definition.name) ?? [];
      line.push({ definition, start: resolve, cancel: () => resolve(undefined) });
      this.lines.set(definition.name, line);
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
      for (const [name, line] of this.lines) {
        const [first] = line;
        const instance = first === undefined ? undefined : this.takeInstance(first.definition);
        if (first === undefined || instance === undefined) continue;
        line.shift();
        // To the end of the map, so that the next function has its turn.
        this.lines.delete(name);
        if (line.length > 0) this.lines.set(name, line);
        first.start(instance);
        served = true;
        break;
      }
    }
  }

  /** A warm instance if there is one, a new one if there is room, or room made by ending an idle one. */
  private takeInstance(definition: FunctionDefinition): Instance | undefined {
    const running = [...this.busy].filter((instance) => instance.definition === definition).length;
    if (running >= (definition.reservedConcurrency ?? Number.POSITIVE_INFINITY)) return undefined;
    this.idle = this.idle.filter((instance) => instance.alive);
    const warm = this.idle.findLast((instance) => instance.definition === definition);
    const instance = warm ?? (this.makeRoom(running) ? this.startInstance(definition) : undefined);
    if (instance === undefined) return undefined;
    this.idle = this.idle.filter((each) => each !== instance);
    this.busy.add(instance);
    return instance;
  }

  /**
   * Whether a function that runs so many instances may have another. The longest idle one makes room for it, but not one
   * that is waited for, unless the function has less than its share: two floods would otherwise end each other's instances.
   */
  private makeRoom(running: number): boolean {
    const { maximumInstances } = this.options;
    if (this.starting >= maxStarting) return false;
    if (this.idle.length + this.busy.size < maximumInstances) return true;
    const share = Math.max(1, Math.floor(maximumInstances / this.lines.size));
    const unwanted = this.idle.find(({ definition }) => !this.lines.has(definition.name));
    const longestIdle = unwanted ?? (running < share ? this.idle[0] : undefined);
    if (longestIdle === undefined) return false;
    this.idle = this.idle.filter((instance) => instance !== longestIdle);
    this.end(longestIdle);
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
