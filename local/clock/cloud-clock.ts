/** The longest delay that `setTimeout` accepts. A longer one would fire immediately. */
const longestTimeoutMs = 2 ** 31 - 1;

interface Alarm {
  dueMs: number;
  ring: () => void;
  timeout: NodeJS.Timeout | undefined;
}

/**
 * The time of the local cloud: the machine's time plus an offset that only grows. The offset is in shared memory, where every
 * thread of the local cloud reads it. Timers of this clock follow its time, so advancing the clock fires all timers that
 * become due.
 */
export class CloudClock {
  readonly sharedOffset = new SharedArrayBuffer(8);
  private readonly offsetMs = new BigInt64Array(this.sharedOffset);
  private readonly alarms = new Set<Alarm>();

  now(): number {
    return Date.now() + Number(Atomics.load(this.offsetMs, 0));
  }

  advance(seconds: number): void {
    if (!(seconds >= 0)) throw new RangeError(`The clock only moves forward, not by ${seconds} seconds`);
    Atomics.add(this.offsetMs, 0, BigInt(Math.round(seconds * 1000)));
    for (const alarm of [...this.alarms]) this.arm(alarm);
  }

  /** Fires once after the given time. Returns a function that cancels the timer. */
  after(delayMs: number, ring: () => void): () => void {
    const alarm: Alarm = { dueMs: this.now() + delayMs, ring, timeout: undefined };
    this.alarms.add(alarm);
    this.arm(alarm);
    return () => this.drop(alarm);
  }

  /** Fires repeatedly. A jump over several periods fires once, so that a jump of a day does not cause a thousand sweeps. */
  every(periodMs: number, ring: () => void): () => void {
    let cancel = () => {};
    const next = () => {
      cancel = this.after(periodMs, () => {
        next();
        ring();
      });
    };
    next();
    return () => cancel();
  }

  stop(): void {
    for (const alarm of [...this.alarms]) this.drop(alarm);
  }

  private arm(alarm: Alarm): void {
    clearTimeout(alarm.timeout);
    const waitMs = Math.max(0, alarm.dueMs - this.now());
    alarm.timeout = setTimeout(() => this.ringWhenDue(alarm), Math.min(waitMs, longestTimeoutMs));
  }

  private ringWhenDue(alarm: Alarm): void {
    if (this.now() < alarm.dueMs) {
      this.arm(alarm);
      return;
    }
    this.drop(alarm);
    alarm.ring();
  }

  private drop(alarm: Alarm): void {
    clearTimeout(alarm.timeout);
    this.alarms.delete(alarm);
  }
}
