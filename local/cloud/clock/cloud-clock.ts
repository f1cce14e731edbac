/** The longest delay that `setTimeout` accepts. A longer one would fire immediately. */
const longestTimeoutMs = 2 ** 31 - 1;

interface ClockTimer {
  dueMs: number;
  callback: () => void;
  timeout: NodeJS.Timeout | undefined;
}

/**
 * The time of the local cloud: the machine's time plus an offset that only grows from its start value. The offset is in shared memory, where every
 * thread of the local cloud reads it. Timers of this clock follow its time, so advancing the clock fires all timers that
 * become due.
 */
export class CloudClock {
  readonly sharedOffset = new SharedArrayBuffer(8);
  readonly #offsetMs = new BigInt64Array(this.sharedOffset);
  readonly #timers = new Set<ClockTimer>();

  constructor(offsetMs = 0) {
    Atomics.store(this.#offsetMs, 0, BigInt(offsetMs));
  }

  /** How far this time is ahead of the machine's. */
  get aheadMs(): number {
    return Number(Atomics.load(this.#offsetMs, 0));
  }

  now(): number {
    return Date.now() + this.aheadMs;
  }

  advance(seconds: number): void {
    if (!(seconds >= 0)) throw new RangeError(`The clock only moves forward, not by ${seconds} seconds`);
    Atomics.add(this.#offsetMs, 0, BigInt(Math.round(seconds * 1000)));
    for (const timer of [...this.#timers]) this.#schedule(timer);
  }

  /** Fires once after the given time. Returns a function that cancels the timer. */
  after(delayMs: number, callback: () => void): () => void {
    const timer: ClockTimer = { dueMs: this.now() + delayMs, callback, timeout: undefined };
    this.#timers.add(timer);
    this.#schedule(timer);
    return () => this.#cancel(timer);
  }

  /** Fires repeatedly. A jump over several periods fires once, so a jump of a day does not cause a thousand sweeps. */
  every(periodMs: number, callback: () => void): () => void {
    let cancel = () => {};
    const next = () => {
      cancel = this.after(periodMs, () => {
        next();
        callback();
      });
    };
    next();
    return () => cancel();
  }

  stop(): void {
    for (const timer of [...this.#timers]) this.#cancel(timer);
  }

  #schedule(timer: ClockTimer): void {
    clearTimeout(timer.timeout);
    const waitMs = Math.max(0, timer.dueMs - this.now());
    timer.timeout = setTimeout(() => this.#fireWhenDue(timer), Math.min(waitMs, longestTimeoutMs));
  }

  #fireWhenDue(timer: ClockTimer): void {
    if (this.now() < timer.dueMs) {
      this.#schedule(timer);
      return;
    }
    this.#cancel(timer);
    timer.callback();
  }

  #cancel(timer: ClockTimer): void {
    clearTimeout(timer.timeout);
    this.#timers.delete(timer);
  }
}
