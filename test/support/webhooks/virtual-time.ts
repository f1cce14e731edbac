interface Sleeper {
  readonly wakeMs: number;
  readonly wake: () => void;
}

/** Turns of the event loop after which the effects of one call have started the next call. */
const turnsUntilIdle = 3;

/**
 * Time that stands still while any worker is active, and otherwise moves to the next moment at which something happens.
 * Many workers share one clock, days pass in seconds, and the speed of the machine does not change when things happen.
 */
export class VirtualTime {
  readonly #clock: { nowMs: number };
  #sleepers: Sleeper[] = [];
  #activeCount = 0;
  readonly #idleWaiters: (() => void)[] = [];

  constructor(clock: { nowMs: number }) {
    this.#clock = clock;
  }

  /** Freezes the time until the work is done. */
  async freezeDuring<Result>(make: () => Promise<Result>): Promise<Result> {
    this.#activeCount += 1;
    try {
      return await make();
    } finally {
      this.#activeCount -= 1;
      if (this.#activeCount === 0) for (const resume of this.#idleWaiters.splice(0)) resume();
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ wakeMs: this.#clock.nowMs + ms, wake }));
  }

  /** Resolves when every worker has finished or sleeps. */
  async untilIdle(): Promise<void> {
    for (let turns = 0; turns < turnsUntilIdle; turns += 1) {
      await new Promise(setImmediate);
      if (this.#activeCount === 0) continue;
      await new Promise<void>((resume) => this.#idleWaiters.push(resume));
      turns = -1;
    }
  }

  get nextWakeMs(): number {
    return this.#sleepers.reduce((earliest, { wakeMs }) => Math.min(earliest, wakeMs), Number.POSITIVE_INFINITY);
  }

  moveTo(ms: number): void {
    this.#clock.nowMs = Math.max(this.#clock.nowMs, ms);
    const due = this.#sleepers.filter(({ wakeMs }) => wakeMs <= this.#clock.nowMs);
    this.#sleepers = this.#sleepers.filter(({ wakeMs }) => wakeMs > this.#clock.nowMs);
    for (const { wake } of due) wake();
  }
}
