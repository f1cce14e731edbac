interface Sleeper {
  readonly wakeMs: number;
  readonly wake: () => void;
}

/** Turns of the event loop after which whatever one call set off has begun the next one. */
const turnsUntilQuiet = 3;

/**
 * Time that stands still while anybody is at work, and otherwise leaps to the next moment at which something happens. So
 * many workers share one clock, days pass in seconds, and how slow the machine is changes nothing of when things announceEvents.
 */
export class VirtualTime {
  private readonly clock: { nowMs: number };
  private sleepers: Sleeper[] = [];
  private atWork = 0;
  private readonly idlers: (() => void)[] = [];

  constructor(clock: { nowMs: number }) {
    this.clock = clock;
  }

  /** While this is under way no time passes. */
  async work<Result>(make: () => Promise<Result>): Promise<Result> {
    this.atWork += 1;
    try {
      return await make();
    } finally {
      this.atWork -= 1;
      if (this.atWork === 0) for (const goOn of this.idlers.splice(0)) goOn();
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.sleepers.push({ wakeMs: this.clock.nowMs + ms, wake }));
  }

  /** Until everybody is done, or sleeps. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < turnsUntilQuiet; turns += 1) {
      await new Promise(setImmediate);
      if (this.atWork === 0) continue;
      await new Promise<void>((goOn) => this.idlers.push(goOn));
      turns = -1;
    }
  }

  get nextWakeMs(): number {
    return this.sleepers.reduce((earliest, { wakeMs }) => Math.min(earliest, wakeMs), Number.POSITIVE_INFINITY);
  }

  moveTo(ms: number): void {
    this.clock.nowMs = Math.max(this.clock.nowMs, ms);
    const due = this.sleepers.filter(({ wakeMs }) => wakeMs <= this.clock.nowMs);
    this.sleepers = this.sleepers.filter(({ wakeMs }) => wakeMs > this.clock.nowMs);
    for (const { wake } of due) wake();
  }
}
