/** The longest wait that `setTimeout` accepts. A longer one would fire at once. */
const longestTimeoutMs = 2 ** 31 - 1;

interface Alarm {
  dueMs: number;
  ring: () => void;
  timeout: NodeJS.Timeout | undefined;
}

/**
 * The cloud's time: the machine's time plus an offset that only ever grows. The offset lies in shared memory, where every
 * thread that stands for a part of AWS reads it. What waits here waits for the cloud's time, so advancing the clock rings
 * everything that became due.
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

  /** Rings once after the given time. Returns a function that cancels it. */
  after(delayMs: number, ring: () => void): () => void {
    const alarm: Alarm = { dueMs: this.now() + delayMs, ring, timeout: undefined };
    this.alarms.add(alarm);
    this.arm(alarm);
    return () => this.drop(alarm);
  }

  /** Rings again and again. A jump over several periods rings once: nobody wants a thousand sweeps after a jump of a day. */
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
