/** What has to be undone, in the opposite order of what was done. */
export class Teardown {
  private readonly steps: (() => Promise<void> | void)[] = [];
  private running: Promise<void> | undefined;

  add(step: () => Promise<void> | void): void {
    this.steps.push(step);
  }

  /** May be called more than once; everybody waits for the same end. A step that fails does not keep the others from running. */
  run(): Promise<void> {
    this.running ??= this.runSteps();
    return this.running;
  }

  private async runSteps(): Promise<void> {
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step();
      } catch (error) {
        process.emitWarning(`A part of the one-machine cloud did not stop cleanly: ${String(error)}`);
      }
    }
  }
}
