import type { Mailer } from './mailer.ts';

const pollMs = 2_000;

/** Nothing is lost: what is due stays in the store, and the next poll takes it. So a disk that is full for a while ends no program. */
const storeFailed = (error: unknown): void => {
  console.error(`The mailer could not read or note: ${error instanceof Error ? error.name : 'unknown error'}.`);
};

/**
 * Works on the events that are due, some at once, as long as the program runs. What is due is read from the store, so it goes on after a
 * crash. `wake` saves the wait when an event has just arrived.
 */
export class Worker {
  readonly #mailer: Mailer;
  readonly #atOnce: number;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #isStopped = false;

  constructor(mailer: Mailer, atOnce = 8) {
    this.#mailer = mailer;
    this.#atOnce = atOnce;
    this.#timer = setInterval(() => void this.#begin(), pollMs);
    void this.#begin();
  }

  wake(): void {
    void this.#begin();
  }

  async #begin(): Promise<void> {
    if (this.#busy.size >= this.#atOnce || this.#isStopped) return;
    try {
      for (const id of await this.#mailer.due(this.#atOnce * 2)) {
        if (this.#busy.size >= this.#atOnce || this.#busy.has(id) || this.#isStopped) continue;
        this.#busy.set(id, this.#work(id));
      }
    } catch (error) {
      storeFailed(error);
    }
  }

  async #work(id: string): Promise<void> {
    try {
      await this.#mailer.work(id);
      this.#busy.delete(id);
      this.wake();
    } catch (error) {
      this.#busy.delete(id);
      storeFailed(error);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.allSettled(this.#busy.values());
  }
}
