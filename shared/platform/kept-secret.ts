import type { Clock } from './clock.ts';

/** How long an instance keeps a secret, and the shortest time between two reads because a signature did not match. */
const keptMs = 60_000;

/** A secret that an operator may replace while instances live. A flood of wrong signatures does not read it more often. */
export class KeptSecret {
  readonly #read: () => Promise<string>;
  readonly #clock: Clock;
  #text = '';
  #readMs = Number.NEGATIVE_INFINITY;
  #rereadMs = Number.NEGATIVE_INFINITY;

  constructor(read: () => Promise<string>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** The secret as it was at most a minute ago. */
  async text(): Promise<string> {
    if (this.#clock.nowMs() - this.#readMs >= keptMs) await this.#readAgain();
    return this.#text;
  }

  /** Another secret than the one that did not match; undefined if there is none, or it was read again less than a minute ago. */
  async afterMismatch(): Promise<string | undefined> {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#rereadMs < keptMs) return undefined;
    this.#rereadMs = nowMs;
    const before = this.#text;
    await this.#readAgain();
    return this.#text === before ? undefined : this.#text;
  }

  async #readAgain(): Promise<void> {
    this.#text = (await this.#read()).trim();
    this.#readMs = this.#clock.nowMs();
  }
}
