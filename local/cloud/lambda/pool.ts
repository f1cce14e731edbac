import { availableParallelism } from 'node:os';
import type { FunctionDefinition } from './function-definition.ts';
import { Instance, type InstanceOptions, type Invocation, type Outcome } from './instance.ts';

export interface PoolOptions {
  /** The maximum number of invocations in progress, over all functions. */
  maximumBusy: number;
  /** The functions that answer requests, and how many of their invocations are in progress at most. */
  requests?: { functions: ReadonlySet<FunctionDefinition>; maximumBusy: number } | undefined;
  /** The maximum number of instances, idle ones included. */
  maximumInstances: number;
  instanceOptions(definition: FunctionDefinition): InstanceOptions;
}

interface WaitingInvocation {
  definition: FunctionDefinition;
  sinceMs: number;
  start(instance: Instance): void;
  cancel(): void;
}

/** AWS ends an idle instance after some minutes, too. */
const idleLimitMs = 10 * 60_000;
const idleCheckMs = 60_000;
/** What the first start of a function may take on a busy machine. */
const firstStartMs = 10_000;

/** Starting is the most expensive step of an instance. Too many starts at once would make running instances time out. */
const maxStarting = Math.max(2, availableParallelism());

/**
 * Assigns invocations to instances, one at a time per instance. AWS rejects invocations beyond the concurrency of the account.
 * One machine has much less concurrency, so here invocations wait in one queue per function. The queues take turns, so a
 * flood of one function does not starve the others.
 */
export class Pool {
  readonly #options: PoolOptions;
  /** Waiting invocations by function. The first function of the map is next. */
  readonly #waitingByFunction = new Map<string, WaitingInvocation[]>();
  /** Least recently used first. */
  #idle: Instance[] = [];
  readonly #busy = new Set<Instance>();
  readonly #idleSince = new WeakMap<Instance, number>();
  #starting = 0;
  readonly #ending = new Set<Promise<void>>();
  #stopped = false;

  readonly #idleCheck = setInterval(() => this.#endLongIdle(), idleCheckMs).unref();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * How long the next invocation of a function waits already, in milliseconds. While the function has no instance, ten seconds
   * are not counted, because starting the first one takes long on any machine.
   */
  waitingMs({ name }: FunctionDefinition): number {
    const [first] = this.#waitingByFunction.get(name) ?? [];
    if (first === undefined) return 0;
    const hasInstance = [...this.#busy, ...this.#idle].some(
      (instance) => instance.definition === first.definition && instance.ready,
    );
    const waitedMs = performance.now() - first.sinceMs;
    return hasInstance ? waitedMs : Math.max(0, waitedMs - firstStartMs);
  }

  async run(definition: FunctionDefinition, invocation: Invocation): Promise<Outcome> {
    const instance = await this.#acquire(definition);
    if (instance === undefined) {
      return { kind: 'error', error: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' } };
    }
    try {
      invocation.onStart?.();
      return await instance.invoke(invocation);
    } finally {
      this.#release(instance);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#idleCheck);
    for (const invocation of [...this.#waitingByFunction.values()].flat()) invocation.cancel();
    this.#waitingByFunction.clear();
    for (const instance of [...this.#idle, ...this.#busy]) this.#end(instance);
    this.#idle = [];
    await Promise.all(this.#ending);
  }

  #acquire(definition: FunctionDefinition): Promise<Instance | undefined> {
    // An operator disables a function with a reserved concurrency of 0.
    if (this.#stopped || definition.reservedConcurrency === 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waiting = this.#waitingByFunction.get(definition.name) ?? [];
      waiting.push({ definition, sinceMs: performance.now(), start: resolve, cancel: () => resolve(undefined) });
      this.#waitingByFunction.set(definition.name, waiting);
      this.#dispatch();
    });
  }

  #release(instance: Instance): void {
    this.#busy.delete(instance);
    if (this.#stopped) return;
    if (instance.alive) {
      this.#idle.push(instance);
      this.#idleSince.set(instance, performance.now());
    } else this.#end(instance);
    this.#dispatch();
  }

  #dispatch(): void {
    for (let served = true; served; ) {
      served = false;
      for (const [name, waiting] of this.#waitingByFunction) {
        const [first] = waiting;
        const instance = first === undefined ? undefined : this.#takeInstance(first.definition);
        if (first === undefined || instance === undefined) continue;
        waiting.shift();
        // Moves the function to the end of the map, so the next one has its turn.
        this.#waitingByFunction.delete(name);
        if (waiting.length > 0) this.#waitingByFunction.set(name, waiting);
        first.start(instance);
        served = true;
        break;
      }
    }
  }

  /** A warm instance, or a new one if the limit allows it, if necessary after ending an idle one. */
  #takeInstance(definition: FunctionDefinition): Instance | undefined {
    if (this.#isFull(definition)) return undefined;
    const running = [...this.#busy].filter((instance) => instance.definition === definition).length;
    if (running >= (definition.reservedConcurrency ?? Number.POSITIVE_INFINITY)) return undefined;
    this.#idle = this.#idle.filter((instance) => instance.alive);
    const warm = this.#idle.findLast((instance) => instance.definition === definition);
    const instance = warm ?? (this.#freeSlot(running) ? this.#startInstance(definition) : undefined);
    if (instance === undefined) return undefined;
    this.#idle = this.#idle.filter((each) => each !== instance);
    this.#busy.add(instance);
    return instance;
  }

  /**
   * Whether a function with this many instances can have another. If there are too many, the longest idle instance is ended
   * for it, preferably one of a function that has several, but not one of a function with waiting invocations, unless this
   * function has less than its share. Otherwise two floods would keep ending each other's instances.
   */
  #freeSlot(running: number): boolean {
    const { maximumInstances } = this.#options;
    if (this.#starting >= maxStarting) return false;
    if (this.#idle.length + this.#busy.size < maximumInstances) return true;
    const share = Math.max(1, Math.floor(maximumInstances / this.#waitingByFunction.size));
    const unneeded = this.#unneededIdle();
    const replaced = unneeded ?? (running < share ? this.#idle[0] : undefined);
    if (replaced === undefined) return false;
    this.#idle = this.#idle.filter((instance) => instance !== replaced);
    this.#end(replaced);
    return true;
  }

  /** Too many busy threads would leave the thread of the server no time to refuse further requests. */
  #isFull(definition: FunctionDefinition): boolean {
    const { maximumBusy, requests } = this.#options;
    if (this.#busy.size >= maximumBusy) return true;
    if (!requests?.functions.has(definition)) return false;
    const answering = [...this.#busy].filter((instance) => requests.functions.has(instance.definition));
    return answering.length >= requests.maximumBusy;
  }

  #unneededIdle(): Instance | undefined {
    const candidates = this.#idle.filter(({ definition }) => !this.#waitingByFunction.has(definition.name));
    const isOneOfSeveral = ({ definition }: Instance): boolean =>
      [...this.#idle, ...this.#busy].filter((instance) => instance.definition === definition).length > 1;
    return candidates.find(isOneOfSeveral) ?? candidates[0];
  }

  #endLongIdle(): void {
    const limit = performance.now() - idleLimitMs;
    const expired = this.#idle.filter((instance) => (this.#idleSince.get(instance) ?? limit) < limit);
    this.#idle = this.#idle.filter((instance) => !expired.includes(instance));
    for (const instance of expired) this.#end(instance);
  }

  #startInstance(definition: FunctionDefinition): Instance {
    const instance = new Instance(this.#options.instanceOptions(definition));
    this.#starting += 1;
    void instance.initialized.then(() => {
      this.#starting -= 1;
      this.#dispatch();
    });
    return instance;
  }

  #end(instance: Instance): void {
    const ended = instance.terminate().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }
}
