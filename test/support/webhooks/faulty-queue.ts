import type { DemoRandom } from '../../../local/demo/random.ts';

/** The probability, from 0 to 1, of each fault. */
export interface FaultPlan {
  /** A function is killed while it works. */
  readonly killed: number;
  readonly doubled: number;
  readonly lost: number;
}

interface Waiting<Message> {
  readonly message: Message;
  readonly visibleMs: number;
}

const maxDuplicateDelayMs = 60_000;

/** Messages with a delay. Some are lost and some come twice. */
export class FaultyQueue<Message> {
  faults: FaultPlan = { killed: 0, doubled: 0, lost: 0 };
  doubled = 0;
  readonly #waiting: Waiting<Message>[] = [];
  readonly #clock: { readonly nowMs: number };
  readonly #random: DemoRandom;

  constructor(clock: { readonly nowMs: number }, random: DemoRandom) {
    this.#clock = clock;
    this.#random = random;
  }

  put(message: Message, delayMs = 0): void {
    const visibleMs = this.#clock.nowMs + delayMs;
    if (this.#random.chance(this.faults.lost)) return;
    this.#waiting.push({ message, visibleMs });
    if (!this.#random.chance(this.faults.doubled)) return;
    this.doubled += 1;
    this.#waiting.push({ message, visibleMs: visibleMs + this.#random.between(0, maxDuplicateDelayMs) });
  }

  /** Takes a visible message, one that matches. */
  take(matches: (message: Message) => boolean = () => true): Message | undefined {
    const index = this.#waiting.findIndex(
      ({ message, visibleMs }) => visibleMs <= this.#clock.nowMs && matches(message),
    );
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0]?.message;
  }

  get nextVisibleMs(): number {
    return this.#waiting.reduce((next, { visibleMs }) => Math.min(next, visibleMs), Number.POSITIVE_INFINITY);
  }

  /** Removes all messages and returns their number. */
  empty(): number {
    return this.#waiting.splice(0).length;
  }
}
