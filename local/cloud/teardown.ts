/** The steps of a stop, in reverse order of the start. */
export class Teardown {
  readonly #steps: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | undefined;

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** Can be called more than once; all calls wait for the same end. A step that fails does not prevent the others. */
  run(): Promise<void> {
    this.#running ??= this.#runSteps();
    return this.#running;
  }

  async #runSteps(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        process.emitWarning(`A part of the local cloud did not stop cleanly: ${String(error)}`);
      }
    }
  }
}
