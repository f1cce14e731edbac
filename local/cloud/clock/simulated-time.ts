/** A callback that is due at a time. */
export interface Timer {
  readonly atMs: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

const { setImmediate: nextTurn } = globalThis;

/**
 * A clock that moves from one timer to the next. Between two timers all code runs that does not wait for a timer, so the
 * same timers always run in the same order, whatever the machine does.
 */
export class SimulatedTime {
  readonly #timers: Timer[] = [];
  #nowMs: number;
  #order = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.start(resolve, ms));
  }

  start(callback: () => void, ms: number): Timer {
    this.#order += 1;
    const timer: Timer = { atMs: this.#nowMs + Math.max(0, ms), order: this.#order, callback };
    this.#push(timer);
    return timer;
  }

  /** The callback will not run. */
  stop(timer: Timer): void {
    timer.callback = undefined;
  }

  /** Moves the time until the work is done. Fails if the work waits for something other than a timer. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    // The error is reported by the promise that is returned.
    done.catch(() => {});
    await new Promise<void>((resolve) => {
      const step = (): void => {
        const timer = isDone ? undefined : this.#pop();
        if (timer === undefined) {
          resolve();
          return;
        }
        this.#nowMs = timer.atMs;
        timer.callback?.();
        nextTurn(step);
      };
      nextTurn(step);
    });
    if (!isDone) throw new Error('The simulation waits for something that is not a timer.');
    return done;
  }

  #push(timer: Timer): void {
    const timers = this.#timers;
    let index = timers.length;
    timers.push(timer);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = timers[parent];
      if (above === undefined || isBefore(above, timer)) break;
      timers[index] = above;
      index = parent;
    }
    timers[index] = timer;
  }

  /** The next timer that was not stopped. */
  #pop(): Timer | undefined {
    for (;;) {
      const [first] = this.#timers;
      const last = this.#timers.pop();
      if (first === undefined || last === undefined) return undefined;
      if (this.#timers.length > 0) this.#sink(last);
      if (first.callback !== undefined) return first;
    }
  }

  /** Puts a timer at the top and moves it down to its place. */
  #sink(timer: Timer): void {
    const timers = this.#timers;
    let index = 0;
    for (;;) {
      const [left, right] = [timers[2 * index + 1], timers[2 * index + 2]];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const next = isRight ? right : left;
      if (next === undefined || isBefore(timer, next)) break;
      timers[index] = next;
      index = 2 * index + (isRight ? 2 : 1);
    }
    timers[index] = timer;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
