import type { DemoRandom } from '../../../local/demo/random.ts';

/** How often, from 0 to 1, things go wrong that are nobody's fault. */
export interface FaultPlan {
  /** A function is killed over its work. */
  readonly killed: number;
  readonly doubled: number;
  readonly lost: number;
}

interface Waiting<Message> {
  readonly message: Message;
  readonly visibleMs: number;
}

const latestDoubleMs = 60_000;

/** Messages, each until its time has come; some are lost and some come twice. */
export class FaultyQueue<Message> {
  faults: FaultPlan = { killed: 0, doubled: 0, lost: 0 };
  doubled = 0;
  private readonly waiting: Waiting<Message>[] = [];
  private readonly clock: { readonly nowMs: number };
  private readonly random: DemoRandom;

  constructor(clock: { readonly nowMs: number }, random: DemoRandom) {
    this.clock = clock;
    this.random = random;
  }

  put(message: Message, delayMs = 0): void {
    const visibleMs = this.clock.nowMs + delayMs;
    if (this.random.chance(this.faults.lost)) return;
    this.waiting.push({ message, visibleMs });
    if (!this.random.chance(this.faults.doubled)) return;
    this.doubled += 1;
    this.waiting.push({ message, visibleMs: visibleMs + this.random.between(0, latestDoubleMs) });
  }

  /** One whose time has come. */
  take(): Message | undefined {
    const index = this.waiting.findIndex(({ visibleMs }) => visibleMs <= this.clock.nowMs);
    return index === -1 ? undefined : this.waiting.splice(index, 1)[0]?.message;
  }

  get nextVisibleMs(): number {
    return this.waiting.reduce((next, { visibleMs }) => Math.min(next, visibleMs), Number.POSITIVE_INFINITY);
  }

  /** Whatever waits is gone; answers how much that was. */
  empty(): number {
    return this.waiting.splice(0).length;
  }
}
