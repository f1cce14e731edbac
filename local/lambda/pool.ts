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

  /** A warm instance if there is one, a new one if there is room, or room made by ending the longest idle one. */
  private takeInstance(definition: FunctionDefinition): Instance | undefined {
    const running = [...this.busy].filter((instance) => instance.definition === definition).length;
    if (running >= (definition.reservedConcurrency ?? Number.POSITIVE_INFINITY)) return undefined;
    this.idle = this.idle.filter((instance) => instance.alive);
    const warm = this.idle.findLastIndex((instance) => instance.definition === definition);
    let instance: Instance | undefined = warm === -1 ? undefined : this.idle.splice(warm, 1)[0];
    if (instance === undefined) {
      if (this.idle.length + this.busy.size >= this.options.maximumInstances) {
        const longestIdle = this.idle.shift();
        if (longestIdle === undefined) return undefined;
        this.end(longestIdle);
      }
      instance = new Instance(this.options.instanceOptions(definition));
    }
    this.busy.add(instance);
    return instance;
  }

  private end(instance: Instance): void {
    const ended = instance.terminate().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }
}
